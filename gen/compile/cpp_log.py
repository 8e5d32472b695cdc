"""The log of a C++ compiler as a list of errors, each with where it was called for and what was noted to it.

g++ writes the instantiations that lead to an error in front of it, clang behind it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

_PLACE = r"(?P<file>[^\s:][^:\n]*):(?P<line>\d+):(?P<column>\d+):"
_ENTRY = re.compile(rf"^{_PLACE} (?P<kind>(?:fatal )?error|note): (?P<said>.*)$")
_REQUIRED = re.compile(rf"^{_PLACE}\s+(?:recursively )?required (?P<said>from .*)$")
_INSTANTIATION = re.compile(r"^\S.*: In (?:instantiation|substitution) of (?P<said>.*)$")
_REQUESTED = re.compile(r"requested here$")
_OF_A_CANDIDATE = re.compile(r"substitution failed:$")


@dataclass(frozen=True)
class Said:
    """A line of the log that names a place; lines and columns count from 1."""

    file: str
    line: int
    column: int
    said: str


@dataclass
class CppError:
    """An error; `callers` from the innermost outwards, `inside` is the function that was being instantiated."""

    at: Said
    inside: str = ""
    callers: list[Said] = field(default_factory=list)
    notes: list[Said] = field(default_factory=list)

    @property
    def said(self) -> str:
        """The compiler's sentence."""
        return self.at.said

    def place(self, own: Callable[[str], bool]) -> Said | None:
        """Where it is, or was called for, in a file that is `own`; None where it is in none."""
        return next((p for p in (self.at, *self.callers) if own(p.file)), None)


def errors_of(log: str) -> list[CppError]:
    """All errors of `log`, in its order."""
    found: list[CppError] = []
    inside, callers = "", list[Said]()
    for text in log.splitlines():
        if match := _INSTANTIATION.match(text):
            inside, callers = match["said"], []
        elif match := _REQUIRED.match(text):
            callers.append(_said(match))
        elif match := _ENTRY.match(text):
            entry = _said(match)
            if match["kind"] == "note" or _is_of_a_candidate(found):
                _add_note(found, entry)
                continue
            found.append(CppError(entry, inside, callers))
            inside, callers = "", []
    return found


def _said(match: re.Match[str]) -> Said:
    return Said(match["file"], int(match["line"]), int(match["column"]), match["said"].strip())


def _add_note(found: list[CppError], entry: Said) -> None:
    if not found:
        return
    if _REQUESTED.search(entry.said):
        found[-1].callers.append(entry)
        found[-1].inside = found[-1].inside or entry.said
    else:
        found[-1].notes.append(entry)


def _is_of_a_candidate(found: list[CppError]) -> bool:
    """g++ calls what stands against a template argument an error of its own."""
    return bool(found and found[-1].notes) and bool(
        _OF_A_CANDIDATE.search(found[-1].notes[-1].said)
    )
