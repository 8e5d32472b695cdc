"""Remedies between cores: cross-core flags and SyncAll."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from gen.check.block_calls import block_calls
from gen.check.branches import branch_of, core_of
from gen.check.constants import number
from gen.check.cross_calls import (
    Between,
    CrossCall,
    Misplaced,
    cross_calls,
    misplaced,
    set_behind,
)
from gen.check.cross_rounds import earliest, flag_there, other_half
from gen.check.dialects import REACHES, Dialect
from gen.check.event_ids import free_cross_id
from gen.check.wording import Remedy, Words, Write, instead, listed, moved

_BLOCK_PIPES = re.compile(r"block (\w+)→block (\w+)")
_CORE_PIPES = re.compile(
    r"(?P<from_core>AI[CV]\d?) (?P<from>\w+)→(?P<to_core>AI[CV]\d?) (?P<to>\w+)"
)
_ONLY_ON = {"FIX": "AIC", "M": "AIC", "V": "AIV"}
"""Pipes that only one kind of core has."""
_OF_THE_CUBE = frozenset({"M", "MTE1", "FIX"})


def cross(w: Words) -> Remedy:
    """A cross-core flag from one core of a block to another."""
    d = w.kernel.dialect
    cores = _core(w.fix["from_core"]), _core(w.fix["to_core"])
    if known := flag_there(w) or _misplaced(w, *cores, w.fix["from"], w.fix["to"]):
        return known
    w = earliest(w)
    mode = _mode(w, w.fix["from_core"], w.fix["to_core"])
    id = w.fix.get("id", free_cross_id(w.kernel.text, d))
    # A flag that answers is set when the data have been read; the scalar unit only waited for them.
    source = "MTE2" if w.fix["from"] == "S" else w.fix["from"]
    setting = _cross_setting(d, str(source), mode, id)
    waiting = _cross_waiting(w, str(w.fix["to"]), mode, id)
    one, two = _core(w.fix["from_core"]), _core(w.fix["to_core"])
    if w.second is None:
        answer = [
            Write(setting, f"on the {one} when it has read what the flag announced"),
            Write(waiting, f"on the {two} before it sets the flag again"),
        ]
        return listed(answer)
    sets, waits = _for_both(d, one, setting, id), _for_both(d, two, waiting, id)
    lines = [
        *(Write(code, f"on the {one} {w.after}", w.behind) for code in sets),
        *(Write(code, f"on the {two} before", w.ahead) for code in waits),
    ]
    if w.backwards:  # the first rounds find their slots free, and nothing is left over
        first_round = f"on the {one} once for each slot before its first round"
        lines += [Write(code, first_round) for code in sets]
        lines += [Write(code, f"on the {two} as often at its end") for code in waits]
    return listed(lines)


def own_bytes(w: Words) -> Remedy | None:
    """Two kinds of cores write the same bytes: a flag, where the kernel has it or the second core reads them before."""
    pipes = _CORE_PIPES.fullmatch(w.edge)
    if pipes is None or w.first is None or w.second is None:
        return None
    meant = replace(w, fix={**pipes.groupdict(), "kind": "cross"})
    one, two = _core(pipes["from_core"]), _core(pipes["to_core"])
    if known := flag_there(meant) or _misplaced(meant, one, two, pipes["from"], pipes["to"]):
        return known
    first = earliest(meant)
    return cross(first) if first.second != w.second else None


def cross_set(w: Words) -> Remedy | None:
    """A cross-core wait that finds no set."""
    if "core" not in w.fix or "id" not in w.fix:
        return None
    if (known := other_half(w) or _set_in_the_text(w)) is not None:
        return known
    d, core = w.kernel.dialect, _core(str(w.fix["core"]))
    # Usually a core tells of what it has stored: FIXPIPE on an AIC, MTE3 on an AIV.
    pipe = str(w.fix.get("pipe", "FIX" if core == "AIC" else "MTE3"))
    mode = _mode(w, core, str(w.fix.get("to_core", "AIV")))
    code = _cross_setting(d, pipe, mode, w.fix["id"])
    place = f"line {w.first.line}" if w.first else "this wait"
    return listed([Write(code, f"once more on the {core}")], otherwise=f"take {place} out")


def _set_in_the_text(w: Words) -> Remedy | None:
    """What a set that stands in the kernel has to do with a wait that finds none: its id is another one, or not every
    core that has to come to it does."""
    calls = cross_calls(w.kernel.text, w.kernel.dialect)
    sets = {c.id: c for c in calls if c.sets}
    waited = {c.id for c in calls if not c.sets}
    id = _as_written(w.kernel.text, calls, int(w.fix["id"]))
    place = f"line {w.first.line}" if w.first else "this wait"
    if astray := _to_the_wrong_kind(w, calls, id):
        return astray
    if id in sets:
        line = sets[id].line
        behind = set_behind(w.kernel.text, calls, id, w.first.line) if w.first else None
        if behind is not None:
            return moved(sets[id].code, w.at(line), "before", w.at(behind))
        return Remedy(
            f"let every core that has to tell it come to line {line} as often as this is waited for, or take {place} out"
        )
    unheard = [name for name in sets if name not in waited]
    if len(unheard) != 1 or id not in waited or w.first is None:
        return None
    code = w.first.text.strip().replace(f"({id})", f"({unheard[0]})")
    if code == w.first.text.strip():
        return None
    line = sets[unheard[0]].line
    return Remedy(
        f"line {line} sets another id: write `{code}` in {place}",
        (Write(code, "instead of", w.first),),
    )


def _as_written(text: str, calls: Sequence[CrossCall], id: int) -> str:
    """An id as the calls write it."""
    return next((c.id for c in calls if number(text, c.id) == id), str(id))


def _to_the_wrong_kind(w: Words, calls: Sequence[CrossCall], id: str) -> Remedy | None:
    """Every set of this id is of a mode that reaches cores of the setter's kind only, and it is the other kind that waits."""
    waiting = _core(str(w.fix["to_core"]))
    sets = [c for c in calls if c.sets and c.id == id]
    if len(sets) != 1 or sets[0].mode not in ("0", "1"):
        return None
    call = sets[0]
    setter = core_of(w.kernel.text, call.line) or _ONLY_ON.get(call.pipe, "")
    if setter in ("", waiting):
        return None
    right = "4" if w.kernel.dialect.name == "the M tree" else "2"
    code = _with_mode(w, call, right)
    if code == call.code:
        return None
    because = f"line {call.line} sets it with mode {call.mode}, which reaches only {setter}s, and it is an {waiting} that waits"
    return instead(code, w.at(call.line), because)


def _with_mode(w: Words, call: CrossCall, mode: str) -> str:
    if w.kernel.dialect.name == "the C API":
        return re.sub(r"asc_sync_[a-z]+_", f"asc_sync_{REACHES[int(mode)]}_", call.code, count=1)
    if w.kernel.dialect.name == "the A tree":
        return re.sub(rf",\s*{call.mode}\)", ")", call.code)
    return re.sub(rf"([<(]\s*){call.mode}\b", rf"\g<1>{mode}", call.code, count=1)


def cross_wait(w: Words) -> Remedy:
    """A cross-core flag that still counts."""
    code = _cross_waiting(w, "S", int(w.fix["mode"]), w.fix["id"])
    where = f"at the end on the {_core(w.fix['core'])}"
    return listed([Write(code, where)], otherwise="leave the last set out")


def sync_all(w: Words) -> Remedy | None:
    """All cores of a kind have to come so far."""
    d = w.kernel.dialect
    pipes = _BLOCK_PIPES.fullmatch(w.edge)
    if pipes:
        kind = "AIC" if _OF_THE_CUBE & {*pipes.groups()} else "AIV"
        if known := _misplaced(w, kind, kind, *pipes.groups()):
            return known
    if told := _by_block(w):
        return told
    if d.sync_all:
        only = "true" if w.fix["cores"] == "AIV" else "false"
        return _where_all_come_by(w, d.sync_all.format(only_aiv=only))
    if not (pipes and d.inter[0]):
        return None
    id = free_cross_id(w.kernel.text, d)
    arriving, waiting = (
        t.format(pipe=p, id=id) for t, p in zip(d.inter, pipes.groups(), strict=True)
    )
    return listed([Write(arriving, w.after, w.behind), Write(waiting, "before", w.ahead)])


def _where_all_come_by(w: Words, code: str) -> Remedy:
    """A SyncAll between the two places, outside of branches that not all cores take."""
    if w.first is None or w.second is None or not w.in_text:
        return listed([Write(code, "before", w.ahead)])
    inside = branch_of(w.kernel.text, w.second.line)
    around_both = inside is not None and inside <= w.first.line
    if around_both or (w.first.line >= w.second.line and branch_of(w.kernel.text, w.first.line)):
        return Remedy(
            f"all cores have to come to a `{code}` between line {w.first.line} and line {w.second.line}, and not every core "
            "takes the branches that they stand in: end these, write it where all cores come by, and go on in another branch"
        )
    return listed([Write(code, "before", w.ahead if inside is None else w.at(inside))])


def _by_block(w: Words) -> Remedy | None:
    """The IBWait that an IBSet behind the first place lacks, or the IBSet of an IBWait before the second."""
    if w.first is None or w.second is None or not w.in_text:
        return None
    text, calls = w.kernel.text, block_calls(w.kernel.text)
    if len({c.sets for c in calls}) != 1:
        return None
    mine = w.first if calls[0].sets else w.second
    call = next((c for c in calls if c.beside(text, mine.line)), None)
    if call is None or (call.line < mine.line) is call.sets:
        return None
    does, lacks = ("sets", "waits for") if call.sets else ("waits for", "sets")
    because = f"no block {lacks} what line {call.line} {does}"
    where, place = ("before", w.ahead) if call.sets else (w.after, w.behind)
    found = listed([Write(call.partner, where, place)], because)
    local = call.arguments[1] if len(call.arguments) > 1 else ""
    if not re.search(rf"\b{re.escape(local)}\s*=\s*\w+\.AllocTensor\b", text):
        return found
    return Remedy(
        f"{found.text.removesuffix('.')}, `{local}` being a local tensor that is free there"
    )


def _misplaced(w: Words, from_core: str, to_core: str, source: str, target: str) -> Remedy | None:
    """What is to do with a flag of the kernel that was meant to order the two places."""
    if w.backwards or w.behind is None or w.ahead is None or not w.in_text:
        return None
    text = w.kernel.text
    where = Between(w.behind.line, w.ahead.line, from_core, to_core, source, target)
    found = misplaced(text, cross_calls(text, w.kernel.dialect), where)
    return _put_right(w, found, where) if found else None


def _put_right(w: Words, found: Misplaced, where: Between) -> Remedy | None:
    call, place = found.call, w.at(found.call.line)
    assert w.behind is not None
    assert w.ahead is not None
    if found.what == "early":
        return moved(call.code, place, "after", w.behind)
    if found.what == "late":
        return moved(call.code, place, "before", w.ahead)
    if found.what == "order" and found.other:
        return moved(call.code, place, "after", w.at(found.other.line))
    if found.what == "pipe":
        pipe = where.source if call.sets else where.target
        because = (
            f"line {call.line} tells how far {call.pipe} is, and it is {pipe} that has to be done"
            if call.sets
            else f"line {call.line} lets only {call.pipe} wait, and it is {pipe} that has to"
        )
        return instead(_on_pipe(call, pipe), place, because)
    other = found.other
    ahead = w.at(other.line) if other else w.ahead
    mode = int(call.mode) if call.mode.isdigit() else 2
    waiting = _cross_waiting(w, "S" if other else where.target, mode, call.id)
    on = "AIC" if other and where.from_core == "AIV" else "AIV" if other else where.to_core
    there = Write(waiting, f"on the {on} before", ahead)
    return listed([there], f"the flag that line {call.line} sets is waited for nowhere")


def _on_pipe(call: CrossCall, pipe: str) -> str:
    return re.sub(rf"\b(PIPE_|){call.pipe}\b", rf"\g<1>{pipe}", call.code, count=1)


def _for_both(d: Dialect, core: str, code: str, id: int) -> list[str]:
    """In the M tree an AIC tells each of its AIVs, and hears from each: the second by an id that is 16 larger.

    Source: asc-devkit, docs/zh, SIMD-API, 同步控制, 核间同步, mode 4.
    """
    if d.name != "the M tree" or core != "AIC":
        return [code]
    return [code, code.replace(f" {id})", f" {id + 16})")]


def _mode(w: Words, one: str, two: str) -> int:
    """Between AIC and AIV 2 (4 for one AIV on dav-3510, which the M tree uses), among AIVs 1; a wait may not say it."""
    if w.kernel.dialect.name == "the M tree":
        return 4
    return int(w.fix["mode"]) if "mode" in w.fix else 1 if _core(one) == _core(two) == "AIV" else 2


def _cross_setting(d: Dialect, pipe: str, mode: int, id: object) -> str:
    other = "" if mode == 2 else f", {mode}"
    reach = REACHES.get(mode, "block")
    return d.cross_set.format(mode=mode, other_mode=other, pipe=pipe, id=id, reach=reach)


def _cross_waiting(w: Words, pipe: str, mode: int, id: object) -> str:
    """A wait: on dav-2201 it stops the whole core, and is written without mode and pipe."""
    d = w.kernel.dialect
    code = d.cross_wait.format(mode=mode, pipe=pipe, id=id, reach=REACHES.get(mode, "block"))
    if d.name == "Ascend C" and w.kernel.arch == "dav-2201":
        return f"{code.partition('CrossCoreWaitFlag')[0]}CrossCoreWaitFlag({id});"
    return code


def _core(unit: str) -> str:
    return unit.rstrip("01")
