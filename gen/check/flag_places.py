"""Event flags that a kernel has already, but not where they order two lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gen.check.event_ids import FlagCall
from gen.check.nesting import Nesting, indent, nesting


@dataclass(frozen=True)
class Misplaced:
    """A set and a wait of one id, of which `wrong` stands where it orders nothing; None where both stand right, and the
    two lines must use different slots."""

    set: FlagCall
    wait: FlagCall
    wrong: FlagCall | None


def misplaced(
    text: str, calls: Sequence[FlagCall], pair: tuple[str, str], first: int, second: int
) -> Misplaced | None:
    """The flag of this pair of pipes that was meant to order line `first` before line `second`; where the second stands
    above the first, from one round of their loop to the next. `first` is the last line of its statement.
    """
    own = [c for c in calls if (c.source, c.target) == pair]
    waits = [c for c in own if not c.sets and _same(text, c.line, second)]
    look = _forwards if first < second else _from_round_to_round
    found = []
    for set in (c for c in own if c.sets):
        behind = end_of_block(text, set.line, first)
        if behind is not None:
            found += [look(set, w, behind, second) for w in waits if set.id == w.id]
    known = [f for f in found if f is not None]
    wrong = [f for f in known if f.wrong is not None]
    return next(iter((*wrong, *known)), None)


def end_of_block(text: str, beside: int, line: int) -> int | None:
    """The line behind which what `line` does is over for a call in the block of line `beside`: `line`, or the end of the
    inner block that it stands in; None where `beside` is in a block that `line` is not in."""
    where = nesting(text, min(beside, line), max(beside, line))
    if where is Nesting.SAME:
        return line
    if where is not (Nesting.OUTSIDE if beside < line else Nesting.INSIDE):
        return None
    lines = text.split("\n")
    level, last = indent(lines[beside - 1]), line
    for number in range(line + 1, len(lines) + 1):
        code = lines[number - 1]
        if not code.strip():
            continue
        if indent(code) <= level:
            return number if indent(code) == level and code.strip()[0] in "})" else last
        last = number
    return last


def _forwards(set: FlagCall, wait: FlagCall, first: int, second: int) -> Misplaced | None:
    if set.line < first < wait.line < second:
        return Misplaced(set, wait, set)
    if first < set.line < second < wait.line:
        return Misplaced(set, wait, wait)
    return None


def _from_round_to_round(
    set: FlagCall, wait: FlagCall, first: int, second: int
) -> Misplaced | None:
    if wait.line < second and wait.line < set.line < first:
        return Misplaced(set, wait, set)
    if second < wait.line < first < set.line:
        return Misplaced(set, wait, wait)
    goes_round = not set.id.removeprefix("EVENT_ID").isdigit()
    if wait.line < second and first < set.line and goes_round:
        return Misplaced(set, wait, None)
    return None


def _same(text: str, line: int, other: int) -> bool:
    return nesting(text, min(line, other), max(line, other)) is Nesting.SAME
