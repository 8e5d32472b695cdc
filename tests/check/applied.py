"""Applies the lines of a remedy to a kernel, as its reader would."""

from __future__ import annotations

from gen.check.remedy import Remedy
from gen.check.statements import statement


class NoPlaceError(Exception):
    """The remedy has a line for which it names no line of the kernel."""


def applied(text: str, remedy: Remedy) -> str:
    """`text` with every line of `remedy` written, moved, replaced or taken out. Raises NoPlaceError."""
    lines = text.split("\n")
    before: dict[int, list[str]] = {}
    after: dict[int, list[str]] = {}
    last: list[str] | None = None
    indent = ""
    for line in remedy.lines:
        if line.place is None:
            if line.where != "after that" or last is None:
                raise NoPlaceError(line.at)
            last.append(indent + line.code)
            continue
        number = line.place.line
        indent = lines[number - 1][: len(lines[number - 1]) - len(lines[number - 1].lstrip())]
        if line.where.startswith("behind the block"):
            indent = _of_the_block(text, number, remedy, line.code)
        if line.where in ("instead of", "take out"):
            lines[number - 1] = indent + line.code if line.where == "instead of" else ""
            continue
        last = (after if _follows(line.where) else before).setdefault(number, [])
        last.append(indent + line.code)
    return "\n".join(
        line
        for number, old in enumerate(lines, 1)
        for line in (*before.get(number, ()), old, *after.get(number, ()))
    )


def _of_the_block(text: str, last: int, remedy: Remedy, code: str) -> str:
    """The indentation of a line behind a block: that of the line where it stood before, or of the block's first line."""
    stood = [
        w.place.line for w in remedy.lines if w.code == code and w.where == "take out" and w.place
    ]
    first = stood[0] if stood else statement(text, last, python=True)[0]
    start = text.split("\n")[first - 1]
    return start[: len(start) - len(start.lstrip())]


def _follows(where: str) -> bool:
    return where.endswith("after") or where.startswith("behind")
