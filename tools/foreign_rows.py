"""Rows of the table of foreign kernels: one for each way to run a file."""

from __future__ import annotations

import fnmatch
import re
import textwrap
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from gen.check.foreign.script import ScriptVerdict, Values
from gen.check.verdict import Outcome
from gen.plan import Tree

LONGEST = 160
WIDTH = 120
HEAD = """\
# Kernels that nobody here wrote

Written by `make foreign`: files of public repositories, each run on the model with its own script, which makes the
inputs and checks the numbers. *Values* is what that script says. Every finding was looked at: `true` where the kernel
does what is wrong by the documents, `false` where the model is at fault, with the reason.

"""


@dataclass(frozen=True)
class Case:
    """A file and how it is run. `hide` and `show` are patterns of lines that become comments or stop being comments."""

    repository: str
    file: str
    path: Path
    tree: Tree | None = None
    chip: str = ""
    defines: Mapping[str, str] = field(default_factory=dict)
    constants: Mapping[str, str] = field(default_factory=dict)
    words: tuple[str, ...] = ()
    k_tail: str = "group"
    edit: str = ""
    hide: str = ""
    show: str = ""
    expected: tuple[str, ...] = ()
    host: str = ""
    """A pattern that a remark on the host program must match; none may be there where it is empty."""

    @property
    def build(self) -> str:
        """Chip, macros, other constants and words, as the table shows them."""
        macros = [f"{k}={v}" for k, v in {**self.defines, **self.constants}.items()]
        tail = "" if self.k_tail == "group" else f"--k-tail {self.k_tail}"
        parts = [self.chip, *macros, " ".join(self.words), tail, self.edit]
        return ", ".join(part for part in parts if part)

    @property
    def title(self) -> str:
        """File and build."""
        return f"{self.file} {self.build}".strip()

    def text(self) -> str:
        """The file's text with the edit made."""
        lines = self.path.read_text("utf-8").split("\n")
        return "\n".join(self._edited(line) for line in lines)

    def _edited(self, line: str) -> str:
        bare = line.strip()
        if self.show and bare.startswith("//") and re.search(self.show, bare):
            return line.replace("//", "  ", 1)
        if self.hide and not bare.startswith("//") and re.search(self.hide, bare):
            return f"// {line}"
        return line


@dataclass(frozen=True)
class Found:
    """A finding of a row: its code, how often, the lines that it names, and what was made of it."""

    code: str
    message: str
    lines: tuple[int, ...]
    count: int
    judgement: str = ""
    because: str = ""


@dataclass(frozen=True)
class Row:
    """What came of one case."""

    case: Case
    outcome: Outcome
    values: str
    reason: str
    findings: tuple[Found, ...]
    calls: int
    seconds: float
    host: tuple[str, ...] = ()

    @property
    def verdict(self) -> str:
        """In words: the worst thing first."""
        if self.outcome in (Outcome.UNSUPPORTED, Outcome.NOT_RUN):
            return f"{self.outcome}: {self.reason}"
        if self.values == Values.WRONG:
            return "wrong values"
        if self.outcome is Outcome.FAILED:
            return f"failed: {self.reason}"
        return str(self.outcome)

    @property
    def right(self) -> bool:
        """Whether the script came to its end without calling a number wrong."""
        return self.values in (Values.RIGHT, Values.UNCHECKED)

    @property
    def unjudged(self) -> tuple[Found, ...]:
        """Findings that nobody looked at yet."""
        return () if self.case.edit else tuple(f for f in self.findings if not f.judgement)

    @property
    def unexpected(self) -> bool:
        """Whether a seeded fault shows other findings than it is documented to."""
        if not self.case.edit:
            return False
        codes = {f.code for f in self.findings}
        told = [bool(self.case.host and re.search(self.case.host, said)) for said in self.host]
        as_told = bool(told) == bool(self.case.host) and all(told)
        return codes != set(self.case.expected) or not as_told

    def judged(self, judgements: Sequence[Mapping[str, Any]]) -> Row:
        """The row with what is written down about its findings."""
        return replace(self, findings=tuple(self._judged(f, judgements) for f in self.findings))

    def _judged(self, found: Found, judgements: Sequence[Mapping[str, Any]]) -> Found:
        for entry in judgements:
            fits = fnmatch.fnmatch(self.case.file, f"*{entry['file']}")
            if fits and found.code in entry["codes"]:
                word = "true" if entry["real"] else "false"
                return replace(found, judgement=word, because=entry["because"])
        return found


def row_of(case: Case, verdict: ScriptVerdict | str, seconds: float) -> Row:
    """The row of what `run_script` said, or of why it did not."""
    if isinstance(verdict, str):
        return Row(case, Outcome.FAILED, Values.NOT_REACHED, _short(verdict), (), 0, seconds)
    faults = [f for c in verdict.calls for f in c.verdict.errors]
    counts = Counter((f.code, f.message, tuple(p.line for p in f.places)) for f in faults)
    found = tuple(Found(code, text, lines, n) for (code, text, lines), n in counts.items())
    reason = next((c.verdict.reason for c in verdict.calls if c.verdict.reason), verdict.problem)
    calls = sum(c.times for c in verdict.calls)
    said = verdict.said if verdict.values is Values.WRONG else _short(reason)
    host = tuple(remark for c in verdict.calls for remark in c.verdict.host)
    return Row(case, verdict.outcome, verdict.values, said, found, calls, seconds, host)


def _short(text: str) -> str:
    flat = " ".join(text.removeprefix("unsupported: ").replace("|", "/").split())
    flat = re.sub(r"/\S*/", "…/", flat)
    return flat if len(flat) <= LONGEST else f"{flat[:LONGEST]}…"


def paragraph(note: str) -> str:
    """A note below a table."""
    return f"\n{textwrap.fill(note, WIDTH)}\n" if note else ""


def markdown(rows: Iterable[Row], note: str = "") -> str:
    """The whole document, `note` below the summary."""
    rows = list(rows)
    parts = [HEAD, summary(rows), paragraph(note), "\n"]
    for repository in dict.fromkeys(r.case.repository for r in rows):
        own = [r for r in rows if r.case.repository == repository]
        parts.append(f"## {repository}\n\n| file | run as | verdict | values | calls | s |\n")
        parts.append("|---|---|---|---|---:|---:|\n")
        parts += [_line(r) for r in own]
        parts.append("\n")
    parts.append(_judgements(rows))
    return "".join(parts)


def _line(row: Row) -> str:
    codes = ", ".join(sorted({f"{f.code} ({_word(row, f)})" for f in row.findings}))
    verdict = f"{row.verdict}: {codes}" if codes else row.verdict
    if row.case.host and row.host:
        word = "not documented" if row.unexpected else "as documented"
        verdict += f"; host: {'; '.join(row.host)} ({word})"
    return (
        f"| {row.case.file} | {row.case.build} | {verdict} | {row.values} | {row.calls} |"
        f" {row.seconds:.0f} |\n"
    )


def _word(row: Row, found: Found) -> str:
    if row.case.edit:
        return "as documented" if found.code in row.case.expected else "not documented"
    return found.judgement or "not judged"


def summary(rows: Sequence[Row]) -> str:
    """A line for each repository, and one for all."""
    lines = [
        "| | runs | right values | findings: runs | true | false | not judged | unsupported |\n"
    ]
    lines.append("|---|---:|---:|---:|---:|---:|---:|---:|\n")
    for repository in [*dict.fromkeys(r.case.repository for r in rows), ""]:
        own = [r for r in rows if not repository or r.case.repository == repository]
        plain = [r for r in own if not r.case.edit and r.outcome is not Outcome.NOT_RUN]
        right = sum(r.right for r in plain)
        share = f"{right} ({right / len(plain):.0%})" if plain else "-"
        words = Counter(f.judgement for r in plain for f in r.findings)
        with_findings = sum(bool(r.findings) for r in plain)
        unsupported = sum(r.outcome is Outcome.UNSUPPORTED for r in plain)
        name = repository or "**all**"
        lines.append(
            f"| {name} | {len(plain)} | {share} | {with_findings} | {words['true']} |"
            f" {words['false']} | {words['']} | {unsupported} |\n"
        )
    return "".join(lines)


def _judgements(rows: Sequence[Row]) -> str:
    found: dict[tuple[str, str, str, str], None] = {}
    for row in rows:
        for f in row.findings:
            if f.judgement:
                found[(row.case.file, f.code, f.judgement, f.because)] = None
    if not found:
        return ""
    lines = ["## Findings\n\n| file | finding | is | because |\n|---|---|---|---|\n"]
    lines += [f"| {file} | {code} | {word} | {why} |\n" for file, code, word, why in found]
    return "".join(lines)


def summary_line(rows: Sequence[Row]) -> str:
    """How many ran with right values."""
    plain = [r for r in rows if not r.case.edit and r.outcome is not Outcome.NOT_RUN]
    right = sum(r.right for r in plain)
    unjudged = sum(len(r.unjudged) for r in rows)
    return f"{right} of {len(plain)} with right values, {unjudged} findings not judged"


def row_json(row: Row) -> dict[str, Any]:
    """A row as plain data."""
    return {
        "repository": row.case.repository,
        "file": row.case.file,
        "build": row.case.build,
        "edit": row.case.edit,
        "expected": list(row.case.expected),
        "expected_host": row.case.host,
        "outcome": str(row.outcome),
        "verdict": row.verdict,
        "reason": row.reason,
        "values": str(row.values),
        "calls": row.calls,
        "seconds": round(row.seconds, 1),
        "host": list(row.host),
        "findings": [
            {
                "code": f.code,
                "message": f.message,
                "lines": list(f.lines),
                "count": f.count,
                "judgement": f.judgement,
                "because": f.because,
            }
            for f in row.findings
        ],
    }


def from_json(stored: Mapping[str, Any]) -> Row:
    """The row that `row_json` was made from, as far as a table needs it."""
    edit = stored["edit"]
    build = stored["build"].removesuffix(edit).removesuffix(", ")
    case = Case(
        stored["repository"],
        stored["file"],
        Path(stored["file"]),
        words=(build,) if build else (),
        edit=edit,
        expected=tuple(stored["expected"]),
        host=stored["expected_host"],
    )
    found = tuple(
        Found(f["code"], f["message"], tuple(f["lines"]), f["count"]) for f in stored["findings"]
    )
    return Row(
        case,
        Outcome(stored["outcome"]),
        stored["values"],
        stored["reason"],
        found,
        stored["calls"],
        stored["seconds"],
        tuple(stored["host"]),
    )
