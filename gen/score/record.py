"""What the score needs to know of one kernel under one profile, small enough to be kept."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Self

from gen.check.verdict import Outcome
from gen.score.compare import matches, reported
from gen.score.corpus import CaseResult
from gen.score.expectation import Kind


@dataclass(frozen=True)
class Record:
    """One kernel under one profile.

    `tp`, `fp`, `fn` count pairs of lines: findings that are expected, that are not, and expected ones that are missing;
    a kernel that was not judged has none.
    """

    path: str
    tree: str
    profile: str
    case: str
    expected: str
    """judged, unsupported, rejected or failed."""
    is_faulty: bool
    """Whether the file says that there is an error in it."""
    outcome: str
    differences: tuple[str, ...]
    tp: int = 0
    fp: int = 0
    fn: int = 0

    @classmethod
    def of(cls, result: CaseResult) -> Self:
        """The record of a result."""
        expectation, verdict = result.expectation, result.verdict
        tp = fp = fn = 0
        if expectation.kind is Kind.JUDGED and verdict.outcome in (Outcome.CLEAN, Outcome.FINDINGS):
            got = [one for one in reported(verdict) if one.severity == "error"]
            hits = [
                any(matches(result.file, expected, one) for one in got)
                for expected in expectation.errors
            ]
            tp, fn = sum(hits), len(hits) - sum(hits)
            fp = sum(
                not any(matches(result.file, expected, one) for expected in expectation.errors)
                for one in got
            )
        return cls(
            path=str(result.file.path),
            tree=str(verdict.tree),
            profile=str(result.key),
            case=result.file.case,
            expected=str(expectation.kind),
            is_faulty=bool(expectation.errors),
            outcome=str(verdict.outcome),
            differences=result.differences,
            tp=tp,
            fp=fp,
            fn=fn,
        )

    @classmethod
    def from_json(cls, stored: dict[str, Any]) -> Self:
        """What `to_json` made. Raises TypeError or KeyError for anything else."""
        return cls(**{**stored, "differences": tuple(stored["differences"])})

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self)

    @property
    def is_counted(self) -> bool:
        """Whether a verdict on the kernel is wanted: not where the file is to be refused."""
        return self.expected == Kind.JUDGED

    @property
    def is_judged(self) -> bool:
        """Whether the model came to one."""
        return self.outcome in (Outcome.CLEAN, Outcome.FINDINGS)
