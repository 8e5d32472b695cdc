"""Remedies inside of a core: flags, barriers, queues, mutexes, accumulators."""

from __future__ import annotations

from dataclasses import replace

from gen.check.addresses import overlapping
from gen.check.event_ids import (
    FlagCall,
    complete,
    free_id,
    lost_wait,
    only_set,
    partner_missing,
    set_of_another_pair,
    without_partner,
)
from gen.check.flag_places import end_of_block, misplaced
from gen.check.mutex_words import guarded
from gen.check.nesting import Nesting
from gen.check.odd_calls import never_set_again, odd_id, odd_pair, other_slot, set_too_often
from gen.check.queue_positions import wrong_position
from gen.check.queue_words import enqueued_early, freed_early, last_use, not_enqueued
from gen.check.wording import Remedy, Words, Write, instead, listed, moved


def edge(w: Words) -> Remedy:
    """A set on the first pipe and a wait on the second, or what a queue has for it."""
    if w.kernel.dialect.name == "Ascend C" and (in_queue := _queue(w)):
        return in_queue
    if by_mutex := guarded(w):
        return by_mutex
    source, target, d = w.fix["from"], w.fix["to"], w.kernel.dialect
    alone = partner_missing(w.kernel.flags, source, target)
    set_there, wait_there = Write("", w.after, w.behind), Write("", "before", w.ahead)
    if w.backwards and w.first and w.second:
        lost = lost_wait(w.kernel.flags, source, target, w.first.line, w.second.line)
        if lost is not None:
            behind = replace(w.first, line=lost.set.line, text="", origin=None)
            there = wait_there if lost.primed else Write("", "after", behind)
            return listed(
                [replace(there, code=w.flag(d.wait_flag, lost.set.id))],
                f"the flag that line {lost.set.line} sets is waited for nowhere in the loop",
            )
    if alone and alone.sets:
        return listed(
            [replace(wait_there, code=w.flag(d.wait_flag, alone.id))],
            f"the flag that line {alone.line} sets is waited for nowhere",
        )
    if alone:
        return listed(
            [replace(set_there, code=w.flag(d.set_flag, alone.id))],
            f"the flag that line {alone.line} waits for is set nowhere",
        )
    if known := _misplaced(w):
        return known
    near = [p.line for p in (w.first, w.second) if p]
    nested = w.nesting is not Nesting.SAME and not w.backwards
    id = free_id(w.kernel.text, w.kernel.flags, source, target, [] if nested else near, d)
    setting, waiting = w.flag(d.set_flag, id), w.flag(d.wait_flag, id)
    then = Write(waiting, "after that")
    if not w.backwards:
        lines = {
            Nesting.SAME: [replace(set_there, code=setting), replace(wait_there, code=waiting)],
            Nesting.OUTSIDE: [replace(set_there, code=setting), then],
        }
        beside_the_second = [Write(setting, "before", w.ahead), then]
        return listed(lines.get(w.nesting, beside_the_second))
    found = listed([replace(set_there, code=setting), then])
    assert w.ahead is not None
    if not w.in_one_block:
        return found
    loop = (
        f"To let the rounds overlap, wait before line {w.ahead.line} instead, set the flag once before the loop and wait "
        "once after it."
    )
    return replace(found, text=f"{found.text} {loop}")


def _misplaced(w: Words) -> Remedy | None:
    """A flag of this pair that the kernel has, but not where it orders the two places."""
    if not w.in_text or w.behind is None or w.ahead is None or w.first is None:
        return None
    pair, d = (w.fix["from"], w.fix["to"]), w.kernel.dialect
    found = misplaced(w.kernel.text, w.kernel.flags, pair, w.behind.line, w.ahead.line)
    if found is None:
        return None
    if found.wrong is None:
        return Remedy(
            f"line {found.set.line} sets the flag `{found.set.id}` and line {found.wait.line} waits for it: let lines "
            f"{w.first.line} and {w.ahead.line} use the buffer of the same slot"
        )
    call = found.wrong
    code = w.flag(d.set_flag if call.sets else d.wait_flag, call.id)
    if not call.sets:
        return moved(code, w.at(call.line), "before", w.ahead)
    end = end_of_block(w.kernel.text, call.line, w.behind.line)
    return moved(code, w.at(call.line), "after", w.at(end) if end else w.behind)


def _queue(w: Words) -> Remedy | None:
    """In the words of a TQue, where the tensor comes from one."""
    if position := _position(w):
        return position
    if missing := not_enqueued(w.kernel.text, w.first, w.second):
        return listed([Write(*line) for line in missing])
    too_soon = enqueued_early(w.kernel.text, w.first)
    if too_soon is not None and w.behind is not None:
        return moved(too_soon[0], w.at(too_soon[1]), "after", w.behind)
    early = freed_early(w.kernel.text, w.first)
    if early is None or w.first is None:
        return None
    code, line = early
    return moved(code, replace(w.first, line=line, text=code, origin=None), "after", w.first)


def _position(w: Words) -> Remedy | None:
    """A queue whose position makes it order other pipes than those that use its tensors."""
    if w.first is None or w.second is None or not w.in_text:
        return None
    found = wrong_position(w.kernel.text, (w.first.line, w.second.line))
    if found is None:
        return None
    because = f"`{found.queue}` is a queue of {found.position}, and its tensors are those of a {found.right}"
    if found.code:
        return instead(found.code, w.at(found.line), because)
    return Remedy(
        f"{because}: declare it with TPosition::{found.right}, apart from the others in line {found.line}"
    )


def freed(w: Words) -> Remedy | None:
    """A tensor of a queue that is used after FreeTensor."""
    found = last_use(w.kernel.text, w.first)
    if found is None or w.first is None:
        return None
    code, line = found
    return moved(code, w.first, "after", w.at(line))


def barrier(w: Words) -> Remedy:
    """A barrier of one pipe, or other addresses where two tensors share bytes."""
    if w.first and w.second and w.in_text and w.code == "race-waw":
        shared = overlapping(w.kernel.text, w.first.line, w.second.line)
        if shared is not None:
            one, other = shared
            return Remedy(
                f"`{one.name}` begins at `{one.address}` (line {one.line}) and `{other.name}` at `{other.address}` (line "
                f"{other.line}), and they share bytes: give one of them an address behind the other"
            )
    line = Write(w.pipe(w.kernel.dialect.barrier), "before", w.ahead)
    if "apart" not in w.fix:
        return listed([line])
    place = f" in line {w.first.line}" if w.first else ""
    return Remedy(
        f"the stores begin {w.fix['apart']} bytes apart and each covers {w.fix['covers']}: let the offset{place} grow by "
        f"as much as a store covers; or, where the overlap is meant, write `{line.code}` {line.at}"
    )


def wait_once_more(w: Words) -> Remedy:
    """A flag is set once too often."""
    if w.first is not None and (other := _other_slot(w)):
        return other
    code = w.flag(w.kernel.dialect.wait_flag, w.known_id)
    alone = partner_missing(w.kernel.flags, w.fix["from"], w.fix["to"])
    if alone and alone.sets and w.first and alone.line == w.first.line:
        pipe = w.kernel.dialect.pipe_case(w.fix["to"])
        return Remedy(
            f"this flag is waited for nowhere: write `{code}` before the first instruction of {pipe} that relies on it",
            (Write(code, "after", w.first),),
        )
    if w.second is not None:
        ids = "another id for one of the two" if w.second != w.first else "one id for each buffer"
        return listed([Write(code, "before", w.second)], otherwise=f"use {ids}")
    where = f"at the end of the kernel{_for_each(w.known_id)}"
    return listed([Write(code, where)], otherwise="leave the last set out")


def set_once_more(w: Words) -> Remedy:
    """A wait finds no set."""
    d = w.kernel.dialect
    if w.first is not None and (odd := _odd(w)):
        return odd
    other = only_set(w.kernel.flags, w.fix["from"], w.fix["to"])
    if other is not None and w.first is not None and other.id != w.known_id:
        code = w.flag(d.wait_flag, other.id)
        return instead(code, w.first, f"line {other.line} sets another id")
    if w.first is not None and (wrong := _other_pair(w) or _of_the_loop(w)):
        return wrong
    if ring := _without_sets(w):
        return ring
    place = f"line {w.first.line}" if w.first else "this wait"
    code = w.flag(d.set_flag, w.known_id)
    return listed([Write(code, "before", w.first)], otherwise=f"take {place} out")


def _without_sets(w: Words) -> Remedy | None:
    """A ring whose flag is waited for in the loop and behind it, and set nowhere."""
    source, target = w.fix["from"], w.fix["to"]
    pair = [c for c in w.kernel.flags if (c.source, c.target) == (source, target)]
    if len(pair) < 2 or any(c.sets for c in pair):
        return None
    inner, code = pair[0], w.flag(w.kernel.dialect.set_flag, pair[0].id)
    last = f"in the loop behind the last instruction of {source} that uses what line {inner.line} guards"
    lines = [Write(code, last), Write(code, f"before the loop{_for_each(inner.id)}")]
    return listed(lines, f"no line sets {source}→{target}")


def _for_each(id: str) -> str:
    """An id that is an expression stands for several flags."""
    return "" if id.removeprefix("EVENT_ID").isdigit() else " for each buffer"


def _odd(w: Words) -> Remedy | None:
    """A call that names another id, or another pair of pipes, than the others that it goes round with."""
    flags, pair = w.kernel.flags, (w.fix["from"], w.fix["to"])
    if (found := odd_id(flags, *pair)) is not None:
        call, id = found
        because = f"line {call.line} names `{call.id}`, and every other call of this pair `{id}`"
        return instead(_call(w, call, pair, id), w.at(call.line), because)
    if other := _other_slot(w):
        return other
    swapped = odd_pair(w.kernel.text, flags)
    if swapped is None:
        return None
    call, mate = swapped
    if pair not in ((call.source, call.target), (mate.source, mate.target)):
        return None
    does, lacks = ("sets", "waits for it") if call.sets else ("waits for", "sets it")
    because = (
        f"line {call.line} {does} {call.source}→{call.target} a second time, and {mate.source}→{mate.target} has "
        f"only line {mate.line}, which {lacks}"
    )
    return instead(_call(w, call, (mate.source, mate.target), call.id), w.at(call.line), because)


def _other_slot(w: Words) -> Remedy | None:
    """A set and a wait of one round that name different slots."""
    pair = w.fix["from"], w.fix["to"]
    found = other_slot(w.kernel.text, w.kernel.flags, *pair)
    if found is None:
        return None
    call, mate = found
    does, other = ("sets", "waits for") if call.sets else ("waits for", "sets")
    because = f"line {call.line} {does} `{call.id}`, and line {mate.line} {other} `{mate.id}`"
    return instead(_call(w, call, pair, mate.id), w.at(call.line), because)


def _call(w: Words, call: FlagCall, pair: tuple[str, str], id: str) -> str:
    d = w.kernel.dialect
    source, target = map(d.pipe_case, pair)
    template = d.set_flag if call.sets else d.wait_flag
    return template.format(source=source, target=target, id=w.id(id))


def _of_the_loop(w: Words) -> Remedy | None:
    """A wait of a ring that names another pair, or the set that each round of the ring lacks."""
    assert w.first is not None
    here = [c for c in w.kernel.flags if c.line == w.first.line and not c.sets]
    if len(here) != 1:
        return None
    if (found := set_too_often(w.kernel.flags, here[0])) is not None:
        pair = found.source, found.target
        because = f"{found.source}→{found.target} is set once more than it is waited for"
        return instead(_call(w, here[0], pair, found.id), w.first, because)
    inner = never_set_again(w.kernel.text, w.kernel.flags, here[0])
    if inner is None:
        return None
    last = f"in the loop behind the last instruction of {inner.source} that uses what line {inner.line} guards"
    code = w.flag(w.kernel.dialect.set_flag, inner.id)
    return listed(
        [Write(code, last)], f"line {inner.line} waits in every round, and no round sets the flag"
    )


def _other_pair(w: Words) -> Remedy | None:
    """The set that was meant for this wait names another pair of pipes, or the wait does."""
    assert w.first is not None
    d, source, target = w.kernel.dialect, w.fix["from"], w.fix["to"]
    found = set_of_another_pair(w.kernel.flags, source, target, w.known_id)
    if found is None:
        return None
    because = f"line {found.line} sets {found.source}→{found.target}, which nothing waits for"
    known, other = (
        complete(w.kernel.flags, source, target),
        complete(w.kernel.flags, found.source, found.target),
    )
    # Where both pairs occur, or none: what the pipe does behind the wait.
    waits_right = f"{found.source}→{found.target}" not in w.races
    waits_right = waits_right and w.fix.get("next") in (None, target)
    if known if known != other else waits_right:
        return instead(w.flag(d.set_flag, found.id), w.at(found.line), because)
    case = d.pipe_case
    code = d.wait_flag.format(
        source=case(found.source), target=case(found.target), id=w.id(found.id)
    )
    return instead(code, w.first, because)


def prime(w: Words) -> Remedy:
    """A circle of waits that nobody starts."""
    if w.first is not None and (odd := _odd(w)):
        return odd
    d, id = w.kernel.dialect, w.known_id
    each = _for_each(id)
    return listed(
        [
            Write(w.flag(d.set_flag, id), f"before the loop{each}"),
            Write(w.flag(d.wait_flag, id), f"after the loop{each}"),
        ]
    )


def other_id(w: Words) -> Remedy | None:
    """An id that does not exist or is reserved."""
    if "from" not in w.fix:
        return None
    near = [p.line for p in (w.first, w.second) if p]
    d = w.kernel.dialect
    if w.first is not None and w.second is None and (known := _id_of_partner(w, w.first.line)):
        code = w.flag(d.wait_flag if known.sets else d.set_flag, known.id)
        does = "sets" if known.sets else "waits for"
        return instead(code, w.first, f"line {known.line} {does} id {known.id}")
    if w.second is not None and not all(_names_flag(w, line) for line in near):
        return Remedy(
            "the queues take these ids themselves, and no other can be chosen for them here; as documented "
            "(`--flag-identity doc`) the two are different flags"
        )
    id = free_id(w.kernel.text, w.kernel.flags, w.fix["from"], w.fix["to"], near, d)
    return Remedy(
        f"use an id of 0 to {w.fix['ids'] - 1}, in the set and in its wait: `{id}` is free"
    )


def _id_of_partner(w: Words, line: int) -> FlagCall | None:
    """The set, or the wait, whose id the one at `line` should have."""
    here = [c for c in w.kernel.flags if c.line == line]
    if len(here) != 1:
        return None
    alone = without_partner(w.kernel.flags, here[0].source, here[0].target)
    others = [c for c in alone if c.sets != here[0].sets]
    return others[0] if len(others) == 1 else None


def _names_flag(w: Words, line: int) -> bool:
    return any(c.line == line for c in w.kernel.flags)


def remove(w: Words) -> Remedy:
    """Synchronisation that can go, or that the chip does not have."""
    lines = [Write(p.text.strip(), "take out", p) for p in (w.first, w.second) if p is not None]
    return Remedy(
        (
            f"take out {' and '.join(f'line {line.place.line}' for line in lines if line.place)}"
            if lines
            else "take it out"
        ),
        tuple(lines),
    )


def unlock(w: Words) -> Remedy | None:
    """A buffer mutex that is still held."""
    template = w.kernel.dialect.unlock
    code = w.pipe(template, id=w.fix["id"])
    return listed([Write(code, "before", w.second or w.first)]) if template else None


def lock(w: Words) -> Remedy | None:
    """A buffer mutex that nobody holds."""
    template = w.kernel.dialect.lock
    code = w.pipe(template, id=w.fix["id"])
    return listed([Write(code, "before", w.first)]) if template else None


def init(w: Words) -> Remedy:
    """An Mmad that should, or should not, start the accumulator."""
    d = w.kernel.dialect
    starts = w.fix["value"] in (True, 1, "true")
    what = "in the first step of the sum" if starts else "in every step after the first"
    place = f" at line {w.first.line}" if w.first else ""
    return Remedy(f"write `{d.starts if starts else d.continues}`{place} {what}")
