"""Cross-core flags in a kernel's text: a set or a wait that stands there already, but not where it orders two lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gen.check.dialects import REACHES, Dialect
from gen.check.nesting import Nesting, nesting

_MODES = {reach: str(mode) for mode, reach in REACHES.items()}


@dataclass(frozen=True)
class CrossCall:
    """A cross-core set or wait as the text writes it; mode and pipe are empty where it does not say them."""

    line: int
    sets: bool
    mode: str
    pipe: str
    id: str
    code: str


@dataclass(frozen=True)
class Between:
    """Two lines that a cross-core flag has to order, the kinds of their cores (`AIC`), and their pipes.

    `first` is the last line of the earlier statement, `second` the first line of the later one.
    """

    first: int
    second: int
    from_core: str
    to_core: str
    source: str
    target: str


def cross_calls(text: str, dialect: Dialect) -> tuple[CrossCall, ...]:
    """Every cross-core set and wait of `text`, from top to bottom."""
    found = []
    for call in dialect.cross.finditer(text):
        parts = call.groupdict()
        mode, pipe = (
            parts.get("mode") or _MODES.get(parts.get("reach") or "", ""),
            parts.get("pipe") or "",
        )
        line = text.count("\n", 0, call.start()) + 1
        sets = call["verb"][0] in "SsAa"
        if sets and not mode:
            mode = "2"
        found.append(CrossCall(line, sets, mode, pipe.upper(), call["id"].strip(), call[0]))
    return tuple(found)


@dataclass(frozen=True)
class Misplaced:
    """What is wrong with the flags that were meant: `what` is one of

    `pipe` (`call` is set or waited for on another pipe), `early` and `late` (the set, or the wait, `call` stands too
    early, or too late), `order` (the third core sets `call` before it has waited at `other`), `relay` (it does not wait
    for `call` before it sets `other`), `wait` (nothing waits for `call`).
    """

    what: str
    call: CrossCall
    other: CrossCall | None = None


def misplaced(text: str, calls: Sequence[CrossCall], where: Between) -> Misplaced | None:
    """What keeps the flags of `calls` from ordering the two lines; None where no flag beside them could be meant."""
    beside = [c for c in calls if c.sets and _beside(text, c.line, where.first)]
    beside.sort(key=lambda c: (c.pipe != where.source, c.line < where.first))
    for set in beside:
        wait, fault = _way(text, calls, set, where)
        wrong = [w for w, is_so in _of_the_set(set, where) if is_so]
        if fault and not wrong:
            return fault
        if wait and not wrong:
            other = wait.pipe not in ("", "S", where.target)
            return Misplaced("pipe", wait) if other else None
        if wait and len(wrong) == 1:
            return Misplaced(wrong[0], set)
    return None


def _of_the_set(set: CrossCall, where: Between) -> tuple[tuple[str, bool], ...]:
    return ("pipe", set.pipe != where.source), ("early", set.line < where.first)


def _way(
    text: str, calls: Sequence[CrossCall], set: CrossCall, where: Between
) -> tuple[CrossCall | None, Misplaced | None]:
    """The wait before the second line that hears of `set`, or why there is none: of itself, or by a third core."""
    if _reaches(set.mode, where):
        return _heard(text, calls, set, where)
    waits = [c for c in calls if not c.sets and c.id == set.id]
    if not waits:
        ahead = [c for c in calls if not c.sets and _before(text, c.line, where.second)]
        answers = [c for c in calls if c.sets and ahead and c.id == ahead[-1].id]
        return None, Misplaced("relay", set, answers[0]) if len(answers) == 1 else None
    passed = [c for c in calls if c.sets and _beside(text, c.line, waits[0].line)]
    if len(waits) != 1 or len(passed) != 1:
        return None, None
    if passed[0].line < waits[0].line:
        return None, Misplaced("order", passed[0], waits[0])
    return _heard(text, calls, passed[0], where)


def _heard(
    text: str, calls: Sequence[CrossCall], set: CrossCall, where: Between
) -> tuple[CrossCall | None, Misplaced | None]:
    waits = [c for c in calls if not c.sets and c.id == set.id]
    if not waits:
        return None, Misplaced("wait", set)
    if ahead := [c for c in waits if _before(text, c.line, where.second)]:
        return ahead[-1], None
    late = [c for c in waits if c.line > where.second and _beside(text, c.line, where.second)]
    return None, Misplaced("late", late[0]) if late else None


def set_behind(text: str, calls: Sequence[CrossCall], id: str, line: int) -> int | None:
    """The line of a wait that has to stand behind the only set of `id`, for the wait at `line` to end: that wait
    itself, or one that the set stands behind on another core, which waits for what comes after `line`.
    """
    sets = [c for c in calls if c.sets and c.id == id]
    if len(sets) != 1:
        return None
    above = [c for c in calls if not c.sets and _before(text, c.line, sets[0].line)]
    if any(c.line == line for c in above):
        return line
    later = {c.id for c in calls if c.sets and c.line > line and _beside(text, c.line, line)}
    return next((c.line for c in above if c.id in later), None)


def _reaches(mode: str, where: Between) -> bool:
    """Modes 2 and 4 go between AIC and AIV, 0 and 1 between cores of a kind (asc-devkit, docs, CrossCoreSetFlag)."""
    apart = where.from_core != where.to_core
    return mode not in ("0", "1") if apart else mode in ("0", "1")


def _beside(text: str, line: int, first: int) -> bool:
    return nesting(text, min(line, first), max(line, first)) is Nesting.SAME


def _before(text: str, line: int, second: int) -> bool:
    return line < second and nesting(text, line, second) in (Nesting.SAME, Nesting.OUTSIDE)
