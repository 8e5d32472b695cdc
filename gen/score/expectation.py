"""What a kernel of the corpus says about itself, in the comments of its first lines and behind its statements.

    // case: K02                        (which row, rule or document it shows)
    // what: one sentence
    // twin: other_file.asc             (its good or bad twin)
    // chip: 910b, 950                  (run on each)
    // expect: clean
    // expect auto_sync=off: race-raw V→V @fill @add; note cross-flag-left
    // values: y = 2 * x ~ 1e-3         (gen.score.values)

and `// @fill` behind a statement marks its line. `launch:`, `arg:` and `function:` are those of `gen run`. An expectation
is `clean`, findings separated by `;`, `unsupported TEXT`, `rejected TEXT` (the front end refuses the file) or
`failed TEXT`. Findings are all errors that there may be; a `note` has to be there, other notes are ignored.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from gen.check.foreign.files import CHIP_NAMES, HeaderLine, header
from gen.check.verdict import Outcome
from gen.errors import Diagnostic, GenError, hints, listing, suggest
from gen.rules import codes
from gen.score.markers import Markers, markers

KEYS = ("case", "what", "twin", "chip", "launch", "arg", "function", "expect", "values")
ONCE = ("case", "what", "twin", "chip", "launch", "function")
KNOBS: Mapping[str, tuple[str, ...]] = {
    "chip": tuple(CHIP_NAMES),
    "auto_sync": ("on", "off"),
    "flag_identity": ("doc", "strict"),
    "xflag": ("counter", "binary"),
    "k_tail": ("group", "exact"),
}
DEFAULTS = {"auto_sync": "on", "flag_identity": "doc", "xflag": "counter", "k_tail": "group"}
WORDS = ("clean", "unsupported", "rejected", "failed")


class Kind(StrEnum):
    """What an expectation is about."""

    JUDGED = "judged"
    """Exactly the errors that are listed; none is clean."""
    UNSUPPORTED = "unsupported"
    REJECTED = "rejected"
    FAILED = "failed"


@dataclass(frozen=True)
class ExpectedFinding:
    """A finding: its rule and, where they are given, the missing edge and the marked lines that it names."""

    code: str
    edge: str = ""
    marks: tuple[str, ...] = ()
    is_note: bool = False

    def __str__(self) -> str:
        note = "note " if self.is_note else ""
        return " ".join(
            [note + self.code, *([self.edge] if self.edge else []), *(f"@{m}" for m in self.marks)]
        )


@dataclass(frozen=True)
class Expectation:
    """One `expect` line: the knobs that it is about, and what must come out."""

    knobs: Mapping[str, str]
    kind: Kind
    findings: tuple[ExpectedFinding, ...]
    text: str
    """What must stand in the reason of an unsupported, rejected or failed file."""
    line: HeaderLine

    @property
    def errors(self) -> tuple[ExpectedFinding, ...]:
        """The findings that are not notes."""
        return tuple(f for f in self.findings if not f.is_note)

    @property
    def outcome(self) -> Outcome:
        """The outcome of a verdict that is as expected."""
        if self.kind is Kind.JUDGED:
            return Outcome.FINDINGS if self.errors else Outcome.CLEAN
        return Outcome.UNSUPPORTED if self.kind is Kind.UNSUPPORTED else Outcome.FAILED


@dataclass(frozen=True)
class ProfileKey:
    """Where a verdict holds: the chip as the file calls it, and the knobs of the profile."""

    chip: str
    auto_sync: str = "on"
    flag_identity: str = "doc"
    xflag: str = "counter"
    k_tail: str = "group"

    def __str__(self) -> str:
        other = [f"{k}={getattr(self, k)}" for k, v in DEFAULTS.items() if getattr(self, k) != v]
        return ",".join([self.chip, *other])


@dataclass(frozen=True)
class CorpusFile:
    """A kernel file with what it expects."""

    path: Path
    text: str
    case: str
    what: str
    twin: str
    """Files beside it, separated by commas."""
    chips: tuple[str, ...]
    expectations: tuple[Expectation, ...]
    values: tuple[HeaderLine, ...]
    markers: Markers

    def runs(self) -> Iterator[tuple[ProfileKey, Expectation]]:
        """Every distinct profile that the file speaks of, with the expectation that says most about it."""
        seen: set[ProfileKey] = set()
        for expectation in self.expectations:
            own = expectation.knobs.get("chip")
            for chip in [own] if own else self.chips:
                key = ProfileKey(
                    chip, **{k: expectation.knobs.get(k, v) for k, v in DEFAULTS.items()}
                )
                if key not in seen:
                    seen.add(key)
                    yield key, self._for(key)

    def _for(self, key: ProfileKey) -> Expectation:
        fitting = [
            e for e in self.expectations if all(getattr(key, k) == v for k, v in e.knobs.items())
        ]
        return max(fitting, key=lambda e: len(e.knobs))


def parse(path: Path, text: str) -> CorpusFile:
    """Reads a kernel of the corpus. Raises GenError (E144) with every mistake in what it says about itself."""
    faults: list[Diagnostic] = []
    found = markers(path, text)
    lines = [line for line in header(text) if _is_ours(line, path, faults)]
    chips = _chips(lines, path, text, faults)
    expectations = [
        e for line in lines if line.key == "expect" for e in _expectation(line, path, found, faults)
    ]
    said = {line.key: line.value for line in lines if line.key in ("case", "what", "twin")}
    if not expectations and not faults:
        help = "add a line such as `expect: clean`"
        faults.append(
            Diagnostic("E144", "the file does not say what is expected of it", str(path), help=help)
        )
    if faults:
        raise GenError(faults)
    values = tuple(line for line in lines if line.key == "values")
    return CorpusFile(
        path,
        text,
        said.get("case", ""),
        said.get("what", ""),
        said.get("twin", ""),
        chips,
        tuple(expectations),
        values,
        found,
    )


def _is_ours(line: HeaderLine, path: Path, faults: list[Diagnostic]) -> bool:
    """Whether the line says something; a key that nobody knows is a mistake, a sentence with a colon is none."""
    if line.key in KEYS and (not line.detail or line.key == "expect"):
        if not line.value:
            faults.append(
                line.mistake("E144", path, f"nothing stands behind `{line.key}:`", at=line.key)
            )
        return bool(line.value)
    if line.detail:
        return False
    if help := suggest(line.key, KEYS):
        faults.append(
            line.mistake("E144", path, f"there is no key `{line.key}`", at=line.key, help=help)
        )
    return False


def _chips(
    lines: list[HeaderLine], path: Path, text: str, faults: list[Diagnostic]
) -> tuple[str, ...]:
    line = next((line for line in lines if line.key == "chip"), None)
    if line is None:
        return ("950",) if path.suffix == ".py" and "tilelang.ascend" in text else ("910b",)
    found = []
    for name in re.split(r"\s*,\s*", line.value):
        if name.lower() not in CHIP_NAMES:
            help = suggest(name, CHIP_NAMES) or "chips are 910b and 950"
            faults.append(
                line.mistake("E144", path, f"there is no chip `{name}`", at=name, help=help)
            )
        else:
            found.append(_chip(name))
    return tuple(dict.fromkeys(found)) or ("910b",)


def _chip(name: str) -> str:
    return CHIP_NAMES[name.lower()].name.removeprefix("ascend")


def _expectation(
    line: HeaderLine, path: Path, found: Markers, faults: list[Diagnostic]
) -> Iterator[Expectation]:
    knobs = _knobs(line, path, faults)
    word, _, rest = line.value.partition(" ")
    if knobs is None:
        return
    if word in ("unsupported", "rejected", "failed"):
        yield Expectation(knobs, Kind(word), (), rest.strip(), line)
        return
    parts = [part.strip() for part in line.value.split(";") if part.strip()]
    findings = [_finding(part, line, path, found, faults) for part in parts if part != "clean"]
    kept = tuple(f for f in findings if f is not None)
    if "clean" in parts and any(not f.is_note for f in kept):
        faults.append(line.mistake("E144", path, "a clean kernel has no findings", at="clean"))
    yield Expectation(knobs, Kind.JUDGED, kept, "", line)


def _knobs(line: HeaderLine, path: Path, faults: list[Diagnostic]) -> dict[str, str] | None:
    knobs = {}
    for item in (part.strip() for part in line.detail.split(",") if part.strip()):
        name, _, value = (part.strip() for part in item.partition("="))
        if name not in KNOBS:
            help = hints(suggest(name, KNOBS), f"a profile has {listing(tuple(KNOBS), 'and')}")
            faults.append(
                line.mistake("E144", path, f"a profile has no `{name}`", at=item, help=help)
            )
            return None
        if value.lower() not in KNOBS[name]:
            help = suggest(value, KNOBS[name]) or f"it is one of {listing(KNOBS[name])}"
            faults.append(
                line.mistake("E144", path, f"{name} is never `{value}`", at=item, help=help)
            )
            return None
        knobs[name] = _chip(value) if name == "chip" else value
    return knobs


def _finding(
    text: str, line: HeaderLine, path: Path, found: Markers, faults: list[Diagnostic]
) -> ExpectedFinding | None:
    words = text.split()
    is_note = words[0] == "note"
    code, *rest = words[is_note:] or [""]
    if code not in codes():
        help = suggest(code, [*codes(), *WORDS]) or "`gen explain` lists the rules"
        faults.append(
            line.mistake("E144", path, f"there is no rule `{code}`", at=code or text, help=help)
        )
        return None
    marks = tuple(word[1:] for word in rest if word.startswith("@"))
    for mark in marks:
        if mark not in found:
            comment = "#" if path.suffix == ".py" else "//"
            help = (
                suggest(mark, found)
                or f"write `{comment} @{mark}` behind the statement that it is about"
            )
            faults.append(
                line.mistake("E144", path, f"no line is marked @{mark}", at=f"@{mark}", help=help)
            )
            return None
    edge = plain_edge(" ".join(word for word in rest if not word.startswith("@")))
    return ExpectedFinding(code, edge, marks, is_note)


def plain_edge(edge: str) -> str:
    """An edge as the model writes it, whatever arrow was typed."""
    return re.sub(r"\s*(?:→|->)\s*", "→", " ".join(edge.split()))
