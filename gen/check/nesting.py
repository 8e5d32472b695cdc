"""Whether two lines are executed equally often, as far as the indentation of formatted source shows it."""

from __future__ import annotations

from enum import StrEnum


class Nesting(StrEnum):
    """How a line lies to a later one."""

    SAME = "same"
    """In one block: once each, for every time that the block is executed."""
    OUTSIDE = "outside"
    """The later one is inside of a block that the first is not in: a loop or a branch."""
    INSIDE = "inside"
    """The first is inside of a block that the later one is not in."""
    APART = "apart"
    """Each in a block of its own."""


def nesting(text: str, first: int, second: int) -> Nesting:
    """How line `first` lies to line `second`, which stands below it. Lines count from 1."""
    lines = text.split("\n")
    one, two = indent(lines[first - 1]), indent(lines[second - 1])
    least = min(indent(line) for line in lines[first - 1 : second] if line.strip())
    if one == least:
        return Nesting.SAME if two == least else Nesting.OUTSIDE
    return Nesting.INSIDE if two == least else Nesting.APART


def indent(line: str) -> int:
    """How many characters a line of formatted source is indented by."""
    return len(line) - len(line.lstrip())
