"""How many mutants of kernels that are clean the judge finds, by the kind of mistake."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class KillRow:
    """Mutants of one operator in one tree. Equivalent ones, proved to order as much, do not count."""

    tree: str
    operator: str
    killed: int
    survived: int
    equivalent: int
    unsupported: int = 0

    @property
    def rate(self) -> float | None:
        """Share of the mutants that are none the less wrong which was found; None where there are none."""
        counted = self.killed + self.survived + self.unsupported
        return self.killed / counted if counted else None
