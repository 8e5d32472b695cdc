"""Remedies where a buffer is guarded by a mutex: the lock or the unlock that is missing, or that stands where it guards
nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from gen.check.flag_places import end_of_block
from gen.check.nesting import Nesting, nesting
from gen.check.wording import Remedy, Words, Write, listed, moved


@dataclass(frozen=True)
class MutexCall:
    """A lock or an unlock as the text writes it: its line, its pipe, its id as an expression, and itself."""

    line: int
    locks: bool
    pipe: str
    id: str
    code: str


def mutex_calls(text: str, lock: str, unlock: str) -> tuple[MutexCall, ...]:
    """Every call of the two templates in `text`, from top to bottom."""
    found = [*_calls(text, lock, True), *_calls(text, unlock, False)]
    return tuple(sorted(found, key=lambda c: c.line))


def _calls(text: str, template: str, locks: bool) -> list[MutexCall]:
    if not template:
        return []
    fields = {r"\{pipe\}": r"(?P<pipe>\w+)", r"\{id\}": r"(?P<id>[^;#\n]+?)"}
    pattern = re.escape(template)
    for field, named in fields.items():
        pattern = pattern.replace(field, named)
    ends = r"\s*(?:#.*)?$" if not template.endswith(";") else ""
    found = re.finditer(pattern.replace(r"\ ", r"\s*") + ends, text, re.MULTILINE)
    return [
        MutexCall(
            text.count("\n", 0, m.start()) + 1,
            locks,
            m["pipe"],
            m["id"].strip(),
            m[0].partition("#")[0].strip(),
        )
        for m in found
    ]


def guarded(w: Words) -> Remedy | None:
    """What a race inside of a core lacks, where its two pipes lock one mutex, but not around both accesses."""
    if not w.in_text or w.behind is None or w.ahead is None or w.first is None or w.backwards:
        return None
    d, text = w.kernel.dialect, w.kernel.text
    calls = mutex_calls(text, d.lock, d.unlock)
    first = [c for c in calls if c.pipe == w.fix["from"] and _beside(text, c, w.behind.line)]
    second = [c for c in calls if c.pipe == w.fix["to"] and _beside(text, c, w.ahead.line)]
    for id in dict.fromkeys(c.id for c in first if c.id in {o.id for o in second}):
        one, two = ([c for c in some if c.id == id] for some in (first, second))
        found = _released(w, one) or _taken(w, two)
        if found is not None:
            return found
    return None


def _released(w: Words, calls: Sequence[MutexCall]) -> Remedy | None:
    """The first pipe locks and does not release it between the two accesses."""
    assert w.behind is not None
    assert w.ahead is not None
    locks = [c for c in calls if c.locks and c.line < w.behind.line]
    if not locks or any(not c.locks and w.behind.line < c.line < w.ahead.line for c in calls):
        return None
    unlocks = [c for c in calls if not c.locks]
    if not unlocks:
        lock = locks[-1]
        code = w.kernel.dialect.unlock.format(pipe=lock.pipe, id=lock.id)
        because = f"{lock.pipe} takes mutex `{lock.id}` in line {lock.line} and never releases it"
        return listed([Write(code, w.after, w.behind)], because)
    if len(unlocks) != 1:
        return None
    return moved(unlocks[0].code, w.at(unlocks[0].line), "after", w.behind)


def _taken(w: Words, calls: Sequence[MutexCall]) -> Remedy | None:
    """The second pipe does not take it before its access."""
    assert w.behind is not None
    assert w.ahead is not None
    locks = [c for c in calls if c.locks]
    if any(w.behind.line < c.line < w.ahead.line for c in locks):
        return None
    if len(locks) == 1:
        return moved(locks[0].code, w.at(locks[0].line), "before", w.ahead)
    unlocks = [c for c in calls if not c.locks]
    if locks or len(unlocks) != 1:
        return None
    code = w.kernel.dialect.lock.format(pipe=unlocks[0].pipe, id=unlocks[0].id)
    because = f"{unlocks[0].pipe} releases mutex `{unlocks[0].id}` in line {unlocks[0].line} and never takes it"
    return listed([Write(code, "before", w.ahead)], because)


def _beside(text: str, call: MutexCall, line: int) -> bool:
    """Whether it is executed as often as `line`, or as the block inside of which `line` is the end of a statement."""
    one, two = min(call.line, line), max(call.line, line)
    return (
        nesting(text, one, two) is Nesting.SAME or end_of_block(text, call.line, line) is not None
    )
