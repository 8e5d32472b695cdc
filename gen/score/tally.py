"""True and false positives and negatives, and the rates that are made of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

from gen.check.verdict import Outcome
from gen.score.record import Record


@dataclass(frozen=True)
class Counts:
    """How often it is right; `tn` is 0 where nothing counts what was rightly not reported."""

    tp: int = 0
    fp: int = 0
    fn: int = 0
    tn: int = 0

    @property
    def recall(self) -> float | None:
        """Share of what is there that was found; None where nothing is there."""
        return _share(self.tp, self.tp + self.fn)

    @property
    def precision(self) -> float | None:
        """Share of what was found that is there; None where nothing was found."""
        return _share(self.tp, self.tp + self.fp)


@dataclass(frozen=True)
class Tally:
    """Kernels under profiles, by kernel and by pair of lines."""

    kernels: Counts
    pairs: Counts
    asked: int
    """How many verdicts are wanted."""
    judged: int
    """How many the model came to."""
    refused: int
    """Files that the front end or the model must refuse, and does."""
    differing: int
    """Everything that is not as the files say."""

    @classmethod
    def of(cls, records: Iterable[Record]) -> Self:
        """Adds up."""
        records = list(records)
        counted = [r for r in records if r.is_counted]
        judged = [r for r in counted if r.is_judged]

        def count(faulty: bool, outcome: Outcome) -> int:
            return sum(r.is_faulty is faulty and r.outcome == outcome for r in judged)

        return cls(
            kernels=Counts(
                tp=count(True, Outcome.FINDINGS),
                fp=count(False, Outcome.FINDINGS),
                fn=count(True, Outcome.CLEAN),
                tn=count(False, Outcome.CLEAN),
            ),
            pairs=Counts(
                sum(r.tp for r in judged), sum(r.fp for r in judged), sum(r.fn for r in judged)
            ),
            asked=len(counted),
            judged=len(judged),
            refused=sum(not r.is_counted and not r.differences for r in records),
            differing=sum(bool(r.differences) for r in records),
        )

    @property
    def support(self) -> float | None:
        """Share of the wanted verdicts that there is."""
        return _share(self.judged, self.asked)


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
