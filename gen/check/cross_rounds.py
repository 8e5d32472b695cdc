"""Remedies between the cores of a TileLang kernel that has the flag already: from one round of a loop to the next, through
a third instruction, or for one AIV of the two only."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace

from gen.check import flag_words
from gen.check.cross_calls import CrossCall, cross_calls
from gen.check.tile_lines import accesses, branch, buffers, pipe_of, same_round
from gen.check.wording import Remedy, Words, Write, instead, listed, moved

_PER_AIV = 16
"""In the M tree the AIC knows the flags of AIV1 by ids that are larger by this (asc-devkit, docs/zh, SIMD-API, 同步控制,
核间同步, mode 4)."""


def flag_there(w: Words) -> Remedy | None:
    """What is to do with a flag of the kernel that goes from the first place to the second, or back."""
    if w.kernel.tree == "ascendc" or not w.in_text or w.first is None or w.second is None:
        return None
    calls = cross_calls(w.kernel.text, w.kernel.dialect)
    if through := _through_another(w, calls):
        return through
    if w.backwards:
        return _from_round_to_round(w, calls)
    if not _ordered(w, calls):
        return None
    back = _back(w)
    return _through_another(back, calls) or _from_round_to_round(back, calls, sure=False)


def earliest(w: Words) -> Words:
    """`w` with the second place at the first access that needs the same order: the wait must stand before all of them."""
    if w.kernel.tree == "ascendc" or not w.in_text or w.first is None or w.second is None:
        return w
    text = w.kernel.text
    shared = buffers(text, w.first.line) & buffers(text, w.second.line)
    above = [n for n in accesses(text, shared, w.second.line) if n < w.second.line]
    pipe = pipe_of(text, above[0]) if above else ""
    if not pipe:
        return w
    return replace(w, second=w.at(above[0]), fix={**w.fix, "to": pipe})


def other_half(w: Words) -> Remedy | None:
    """The set for the AIV of a block that no set reaches, where the kernel has it for the other AIV."""
    if w.kernel.dialect.name != "the M tree" or w.fix.get("core") != "AIC":
        return None
    waiting, id = str(w.fix.get("to_core", "")), int(w.fix["id"]) % _PER_AIV
    if waiting not in ("AIV0", "AIV1"):
        return None
    lacking, other = (id + _PER_AIV, id) if waiting == "AIV1" else (id, id + _PER_AIV)
    sets = [c for c in cross_calls(w.kernel.text, w.kernel.dialect) if c.sets]
    there = [c for c in sets if c.id == str(other)]
    if not there or any(c.id == str(lacking) for c in sets):
        return None
    told = "AIV0" if waiting == "AIV1" else "AIV1"
    because = (
        f"id {other} in line {there[0].line} tells {told}, and {waiting} is told by id {lacking}"
    )
    lines = [Write(_with_id(c, lacking), "after", w.at(c.line)) for c in there]
    return listed(lines, because)


def _through_another(w: Words, calls: Sequence[CrossCall]) -> Remedy | None:
    """The flag orders a third instruction of the second place's core, or of the first's, which uses the same buffer: what
    lacks is the order between that one and the place."""
    assert w.first is not None
    assert w.second is not None
    text, shared = w.kernel.text, _shared(w)
    source, target = str(w.fix["from"]), str(w.fix["to"])
    for call in calls:
        near = w.first if call.sets else w.second
        if call.pipe in ("", "S", source if call.sets else target):
            continue
        if not same_round(text, call.line, near.line):
            continue
        low, high = sorted((call.line, near.line))
        between = [n for n in accesses(text, shared, near.line) if low < n < high]
        of_pipe = [n for n in between if pipe_of(text, n) == call.pipe]
        if call.sets and near.line < call.line and of_pipe:
            return _inside(w, near.line, source, of_pipe[0], call.pipe, str(w.fix["from_core"]))
        if not call.sets and call.line < near.line and of_pipe:
            return _inside(w, of_pipe[-1], call.pipe, near.line, target, str(w.fix["to_core"]))
    return None


def _inside(
    w: Words, first: int, source: str, second: int, target: str, core: str
) -> Remedy | None:
    """An edge inside of one core, where the text has none."""
    between = w.kernel.text.split("\n")[first - 1 : second]
    pair = [c for c in w.kernel.flags if (c.source, c.target) == (source, target)]
    waits = {c.id for c in pair if not c.sets and first < c.line < second}
    if any("barrier" in line for line in between) or any(
        c.sets and c.id in waits and first < c.line < second for c in pair
    ):
        return None
    fix = {"kind": "edge", "from": source, "to": target, "core": core}
    inner = replace(w, fix=fix, first=w.at(first), second=w.at(second))
    found = flag_words.edge(inner)
    because = f"nothing orders {source} in line {first} and {target} in line {second}: "
    return replace(found, text=because + found.text)


def _from_round_to_round(
    w: Words, calls: Sequence[CrossCall], *, sure: bool = True
) -> Remedy | None:
    """The flag by which the next round of the second place hears of the first; not `sure`: only what the text shows."""
    assert w.first is not None
    assert w.second is not None
    assert w.behind is not None
    text, source = w.kernel.text, str(w.fix["from"])
    sets = [c for c in calls if c.sets and same_round(text, c.line, w.first.line)]
    waits = [c for c in calls if not c.sets and same_round(text, c.line, w.second.line)]
    waits = [c for c in waits if c.line < w.second.line]
    for set in sets:
        heard = [c for c in waits if c.id in _ids(w, set)]
        if not heard:
            continue
        if set.line < w.first.line:
            return moved(set.code, w.at(set.line), "after", w.behind)
        if set.pipe != source:
            code = set.code.replace(set.pipe, source, 1)
            because = f"line {set.line} tells how far {set.pipe} is, and it is {source} that has to be done"
            return instead(code, w.at(set.line), because)
        return _of_one_aiv(w, set, heard) or (_seldom(w, set, heard[0]) if sure else None)
    return None


def _of_one_aiv(w: Words, set: CrossCall, heard: Sequence[CrossCall]) -> Remedy | None:
    """The AIC waits for one of its AIVs and not for the other."""
    core = str(w.fix["from_core"])
    if w.kernel.dialect.name != "the M tree" or core not in ("AIV0", "AIV1"):
        return None
    wanted = int(set.id) + (_PER_AIV if core == "AIV1" else 0)
    if any(c.id == str(wanted) for c in heard):
        return None
    other = "AIV0" if core == "AIV1" else "AIV1"
    because = f"line {heard[0].line} waits for {other} only"
    return listed([Write(_with_id(heard[0], wanted), "after", w.at(heard[0].line))], because)


def _seldom(w: Words, set: CrossCall, wait: CrossCall) -> Remedy | None:
    """Set and wait stand right: the wait comes in too few rounds, or the two lines use different slots."""
    assert w.first is not None
    assert w.second is not None
    condition = branch(w.kernel.text, wait.line, w.second.line)
    if "cross-flag-left" in w.also and condition is not None:
        return Remedy(
            f"line {set.line} sets the flag `{set.id}` more often than it is waited for: let the condition "
            f"`{ast.unparse(condition.test)}` in line {condition.lineno} hold in as many rounds more as sets are left over"
        )
    return Remedy(
        f"line {set.line} sets the flag `{set.id}` and line {wait.line} waits for it, some rounds too late: let lines "
        f"{w.first.line} and {w.second.line} use the buffer of the same slot, or let fewer rounds go ahead of the flag"
    )


def _ordered(w: Words, calls: Sequence[CrossCall]) -> bool:
    """Whether a flag of the kernel goes from the first place to the second, within a round."""
    assert w.first is not None
    assert w.second is not None
    text = w.kernel.text
    sets = [c for c in calls if c.sets and c.line > w.first.line]
    waits = [c for c in calls if not c.sets and c.line < w.second.line]
    return any(
        wait.id in _ids(w, set) and wait.pipe in ("", "S", str(w.fix["to"]))
        for set in sets
        if set.pipe == str(w.fix["from"]) and same_round(text, set.line, w.first.line)
        for wait in waits
        if same_round(text, wait.line, w.second.line)
    )


def _back(w: Words) -> Words:
    """The order from the second place to the first, of the next round."""
    fix = dict(w.fix)
    fix["from"], fix["to"] = w.fix["to"], w.fix["from"]
    fix["from_core"], fix["to_core"] = w.fix["to_core"], w.fix["from_core"]
    return replace(w, fix=fix, first=w.second, second=w.first)


def _shared(w: Words) -> frozenset[str]:
    assert w.first is not None
    assert w.second is not None
    return buffers(w.kernel.text, w.first.line) & buffers(w.kernel.text, w.second.line)


def _ids(w: Words, set: CrossCall) -> tuple[str, ...]:
    """The ids by which a set may be waited for."""
    if w.kernel.dialect.name != "the M tree" or not set.id.isdigit():
        return (set.id,)
    number = int(set.id)
    return set.id, str(number % _PER_AIV), str(number % _PER_AIV + _PER_AIV)


def _with_id(call: CrossCall, id: int) -> str:
    head, _, tail = call.code.rpartition(call.id)
    return f"{head}{id}{tail}"
