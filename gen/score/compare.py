"""A verdict held against what the file expects."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from gen.check.foreign import FileVerdict
from gen.check.verdict import STOPS, Fault, Outcome
from gen.score.expectation import CorpusFile, Expectation, ExpectedFinding, Kind, plain_edge


@dataclass(frozen=True)
class Reported:
    """A finding of the model as the corpus speaks of it: `lines` are those of the kernel's own text, ascending."""

    code: str
    edge: str
    lines: tuple[int, ...]
    severity: str
    message: str

    def __str__(self) -> str:
        where = (
            f" at line{'s' * (len(self.lines) > 1)} {', '.join(map(str, self.lines))}"
            if self.lines
            else ""
        )
        return f"{self.code} {self.edge}{where}".replace("  ", " ")


def reported(verdict: FileVerdict) -> tuple[Reported, ...]:
    """The findings of a verdict; what differs only in emitted lines of one kernel line is one."""
    found: dict[tuple[str, str, tuple[int, ...], str], Reported] = {}
    for fault in verdict.faults:
        if fault.code in STOPS:
            continue
        one = Reported(
            fault.code,
            plain_edge(fault.edge),
            own_lines(verdict, fault),
            fault.severity,
            fault.message,
        )
        found.setdefault((one.code, one.edge, one.lines, one.severity), one)
    return tuple(found.values())


def own_lines(verdict: FileVerdict, fault: Fault) -> tuple[int, ...]:
    """Lines of the kernel file that a finding names."""
    places = [place.origin or place for place in fault.places]
    return tuple(sorted({p.line for p in places if p.file == verdict.path}))


def matches(file: CorpusFile, expected: ExpectedFinding, got: Reported) -> bool:
    """Whether a finding is the expected one: its rule, its edge, and all marked lines among its own."""
    if expected.code != got.code or not _is_edge(expected.edge, got.edge):
        return False
    if expected.is_note != (got.severity != "error"):
        return False
    return all(
        any(line in span for span in file.markers[mark] for line in got.lines)
        for mark in expected.marks
    )


def _is_edge(expected: str, got: str) -> bool:
    """Whether an edge is meant: none means any, and `AIV` both vector cores of a block."""
    return expected in ("", got, re.sub(r"\bAIV[01]\b", "AIV", got))


def differences(
    file: CorpusFile, expectation: Expectation, verdict: FileVerdict
) -> tuple[str, ...]:
    """What is not as expected, one sentence each; empty where all is."""
    return tuple(_differences(file, expectation, verdict))


def _differences(file: CorpusFile, expectation: Expectation, verdict: FileVerdict) -> Iterator[str]:
    if expectation.kind is Kind.REJECTED:
        said = " ".join(d.message for d in verdict.diagnostics)
        if not verdict.rejected:
            yield f"expected to be rejected, it is {_outcome(verdict)}"
        elif expectation.text not in said:
            yield f"expected to be rejected with `{expectation.text}`, the compiler says: {said}"
        return
    if expectation.kind is not Kind.JUDGED:
        if verdict.outcome is not expectation.outcome:
            yield f"expected {expectation.kind}, it is {_outcome(verdict)}"
        elif expectation.text not in verdict.reason:
            yield f"expected {expectation.kind} `{expectation.text}`, the reason is: {verdict.reason}"
        return
    if verdict.outcome not in (Outcome.CLEAN, Outcome.FINDINGS):
        yield f"expected {_wanted(expectation)}, it is {_outcome(verdict)}"
        return
    got = reported(verdict)
    for expected in expectation.findings:
        if not any(matches(file, expected, one) for one in got):
            yield f"missing: {expected}{_marked(file, expected)}"
    for one in got:
        known = any(matches(file, e, one) for e in expectation.errors)
        if one.severity == "error" and not known:
            yield f"not expected: {one}: {one.message}"


def _wanted(expectation: Expectation) -> str:
    return "; ".join(map(str, expectation.findings)) or "clean"


def _outcome(verdict: FileVerdict) -> str:
    return f"{verdict.outcome}: {verdict.reason}" if verdict.reason else str(verdict.outcome)


def _marked(file: CorpusFile, expected: ExpectedFinding) -> str:
    marks = [f"@{m} is line {file.markers[m][0].start}" for m in expected.marks]
    return f" ({', '.join(marks)})" if marks else ""
