"""What the C++ compiler says of a kernel as mistakes of the kernel: one for each, where it stands, in the API's words.

What is missing here though the interface has it is E405; everything else is E402.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from pathlib import Path

from gen.chips import Chip
from gen.compile.absent import absent_names, listed
from gen.compile.cpp_log import CppError, Said, errors_of
from gen.compile.cpp_meaning import meaning, undeclared_name
from gen.compile.cpp_text import blank
from gen.compile.cpp_types import plain
from gen.errors import Diagnostic
from gen.sim.build import INCLUDE

MOST = 20
"""Mistakes of one file that are told."""

_UNREADABLE = re.compile(
    r"^expected (?![‘'];)|^a function-definition is not allowed|before .* token$"
)

_NOT_CAPTURED = re.compile(r"^[‘'](\w+)[’'] is not captured")
_UNDECLARED = re.compile(r"^`\w+` is not declared$")
_WORD = re.compile(r"\w+")


def mistakes(path: Path, text: str, place: Path, log: str, chip: Chip) -> list[Diagnostic]:
    """What `log` says of the source at `place`, made of the kernel `text` at `path`; empty where it names no place.

    Files beside `place` are those beside `path`.
    """
    emitted = place.read_text("utf-8") if place.is_file() else text
    own = _own(path, place)
    found: list[Diagnostic] = []
    undeclared: set[str] = set()
    absent: dict[str, int] = {}
    for error in errors_of(log):
        at = error.place(own)
        if at is None:
            continue
        if (name := undeclared_name(error.said)) in undeclared:
            continue
        diagnostic = _diagnostic(error, at, path, text, emitted, place, chip)
        if diagnostic.code == "E405":
            absent |= absent_names(f"error: {error.said}", emitted)
        if _follows(diagnostic, found, name) or _echoes(error.said, diagnostic, undeclared):
            continue
        if name:
            undeclared.add(name)
        found.append(diagnostic)
        if _UNREADABLE.search(error.said):
            break  # what comes behind it is guesswork
    found.sort(key=lambda d: (d.path, d.line, d.column))
    return _with_one_absence(found, absent)[:MOST]


def _with_one_absence(found: Sequence[Diagnostic], absent: dict[str, int]) -> list[Diagnostic]:
    """All that the model lacks in one diagnostic, where the first of it is used."""
    first = next((d for d in found if d.code == "E405"), None)
    told = first and replace(first, message=f"the model lacks {listed(absent)}")
    return [told if told and d is first else d for d in found if d.code != "E405" or d is first]


def _own(path: Path, place: Path) -> Callable[[str], bool]:
    """Which files are the kernel's: the copies beside `place`, and what they include from around `path`."""
    folders = (place.parent.resolve(), path.parent.resolve().parent)

    def own(file: str) -> bool:
        whole = Path(file).resolve()
        ours = INCLUDE in whole.parents or whole.name == "face.h"
        return not ours and any(folder in whole.parents for folder in folders)

    return own


def _shown(path: Path, place: Path, file: str) -> Path:
    """The file of the kernel that a copy was made of."""
    whole = Path(file).resolve()
    if whole == place.resolve():
        return path
    folder = place.parent.resolve()
    return path.parent / whole.relative_to(folder) if folder in whole.parents else whole


def _follows(diagnostic: Diagnostic, found: Sequence[Diagnostic], name: str) -> bool:
    """Whether an error at the same statement has been told: the rest is its echo, but for another `name` not declared."""
    same = [d for d in found if (d.path, d.line) == (diagnostic.path, diagnostic.line)]
    return bool(same) and not (name and all(_UNDECLARED.search(d.message) for d in same))


def _echoes(said: str, diagnostic: Diagnostic, undeclared: Collection[str]) -> bool:
    """Whether an error comes of a name that has been told as undeclared: the compiler tells such a name once."""
    if captured := _NOT_CAPTURED.match(said):
        return captured[1] in undeclared
    return bool(_UNREADABLE.search(said)) and any(
        word in undeclared for word in _WORD.findall(diagnostic.source_line)
    )


def _diagnostic(
    error: CppError, at: Said, path: Path, text: str, emitted: str, place: Path, chip: Chip
) -> Diagnostic:
    file = _shown(path, place, at.file)
    lines = (text if file == path else _read(file, at)).split("\n")
    if file == path and at.line > text.rstrip("\n").count("\n") + 1:
        return _unclosed(path, text) or Diagnostic("E402", plain(error.said), str(path))
    source = lines[at.line - 1] if at.line <= len(lines) else ""
    code, message, help, word = meaning(error, emitted, source, at.column, chip)
    column, length = _span(source, at.column, word)
    return Diagnostic(code, message, str(file), at.line, column, length, source, help)


def _read(file: Path, at: Said) -> str:
    for candidate in (file, Path(at.file)):
        if candidate.is_file():
            return candidate.read_text("utf-8", errors="replace")
    return ""


def _span(source: str, column: int, word: str) -> tuple[int, int]:
    """Column and length of `word` at or in front of `column`, or of what stands at `column`."""
    if word:
        places = [m.start() + 1 for m in re.finditer(rf"\b{re.escape(word)}\b", source)]
        if places:
            before = [p for p in places if p <= column]
            return (before or places)[-1 if before else 0], len(word)
    here = re.match(r"\w+", source[column - 1 :])
    return column, len(here[0]) if here else 1


def _unclosed(path: Path, text: str) -> Diagnostic | None:
    """The bracket that is still open at the end of the file."""
    code, stack = blank(text), list[int]()
    for position, char in enumerate(code):
        if char == "{":
            stack.append(position)
        elif char == "}" and stack:
            stack.pop()
    if not stack:
        return None
    line = code.count("\n", 0, stack[-1]) + 1
    start = code.rfind("\n", 0, stack[-1]) + 1
    source = text.split("\n")[line - 1]
    return Diagnostic(
        "E402", "this `{` is not closed", str(path), line, stack[-1] - start + 1, 1, source
    )
