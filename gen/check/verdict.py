"""What `gen check` says about one spec: a verdict per tree, never a higher level than was reached."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, ClassVar, Protocol, TypeVar

from gen.check.compare import Accuracy, Pair
from gen.check.deep import DeepLook
from gen.check.places import Place
from gen.check.remedy import Remedy
from gen.check.witness import Witness
from gen.errors import Diagnostic

__all__ = ["Consequence", "Fault", "Level", "Outcome", "Place", "SpecVerdict", "TreeVerdict"]

CRASH, UNSUPPORTED, TIMEOUT = "crash", "unsupported", "timeout"
STOPS = frozenset({CRASH, UNSUPPORTED, TIMEOUT})
"""Codes of faults that say only where a run has stopped: they are no findings about the kernel."""


class Level(StrEnum):
    """How far a source was proven, in rising order."""

    REFUSED = "refused"
    RENDERED = "rendered"
    COMPILED = "compiled"
    SIMULATED = "simulated"
    DEVICE = "device"


class Outcome(StrEnum):
    """What the run says about the source."""

    CLEAN = "clean"
    FINDINGS = "findings"
    UNSUPPORTED = "unsupported"
    FAILED = "failed"
    """Did not compile, crashed or timed out: never clean."""
    NOT_RUN = "not run"


class Judged(Protocol):
    """A verdict on a source or a file: a dataclass with an outcome, a reason, and perhaps a deep look."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def outcome(self) -> Outcome:
        """What the run says."""


V = TypeVar("V", bound=Judged)


def with_deep_look(verdict: V, deep: DeepLook) -> V:
    """The verdict with what all schedules say: a contradiction leaves no clean one."""
    verdict = replace(verdict, deep=deep)
    if verdict.outcome is Outcome.CLEAN and deep.contradiction:
        return replace(verdict, outcome=Outcome.FAILED, reason=deep.contradiction)
    return verdict


@dataclass(frozen=True)
class Consequence:
    """What follows from a fault, and vanishes with it."""

    code: str
    edge: str
    count: int
    places: tuple[Place, ...]


@dataclass(frozen=True)
class Fault:
    """A finding of the model, tied to lines of the tree's source.

    `message` says what happens, `remedy` what to write, in the words of the tree.
    """

    code: str
    message: str
    severity: str
    places: tuple[Place, ...]
    count: int = 1
    core: str = ""
    edge: str = ""
    remedy: Remedy | None = None
    also: tuple[Consequence, ...] = ()
    witness: Witness | None = None
    """Of a race: what it makes of the stored values under another schedule that the chip allows."""


@dataclass(frozen=True)
class TreeVerdict:
    """One tree: level, outcome, and everything that was measured."""

    tree: str
    chip: str
    level: Level
    outcome: Outcome
    reason: str = ""
    """Why the level is not higher, or what went wrong."""
    diagnostics: tuple[Diagnostic, ...] = ()
    """What the front end says, at its lines, where the source did not compile."""
    front_end: str = ""
    profile: str = ""
    faults: tuple[Fault, ...] = ()
    accuracy: dict[str, Accuracy] = field(default_factory=dict)
    counts: dict[str, dict[str, int]] = field(default_factory=dict)
    """Recorded instructions by pipe and name."""
    cycles: int | None = None
    """Modelled cycles of the slowest core."""
    deep: DeepLook | None = None
    """Where it was asked for."""
    seconds: dict[str, float] = field(default_factory=dict)

    @property
    def bad(self) -> bool:
        """Whether this verdict makes `gen check` fail."""
        return self.outcome in (Outcome.FINDINGS, Outcome.UNSUPPORTED, Outcome.FAILED)


@dataclass(frozen=True)
class SpecVerdict:
    """All trees of a spec and how they compare."""

    name: str
    path: str
    trees: tuple[TreeVerdict, ...]
    pairs: tuple[Pair, ...] = ()

    @property
    def clean(self) -> bool:
        """Something was simulated, and no tree has a finding, failed or disagrees with another."""
        simulated = any(t.level in (Level.SIMULATED, Level.DEVICE) for t in self.trees)
        bad = any(t.bad for t in self.trees) or any(p.mismatch for p in self.pairs)
        return simulated and not bad

    @property
    def complete(self) -> bool:
        """Clean, and no tree was left out."""
        return self.clean and all(t.outcome is Outcome.CLEAN for t in self.trees)
