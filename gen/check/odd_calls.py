"""Flag calls that do not fit to the others: the one that names another id, or another pair of pipes, than it should."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from gen.check.event_ids import FlagCall
from gen.check.nesting import Nesting, nesting


def odd_id(calls: Sequence[FlagCall], source: str, target: str) -> tuple[FlagCall, str] | None:
    """The only call of this pair whose id no other writes, and the id that all others of the pair write."""
    pair = [c for c in calls if (c.source, c.target) == (source, target)]
    counts = Counter(c.id for c in pair)
    odd = [c for c in pair if counts[c.id] == 1]
    if len(counts) != 2 or len(odd) != 1 or len(pair) < 4:
        return None
    return odd[0], next(id for id in counts if id != odd[0].id)


def odd_pair(text: str, calls: Sequence[FlagCall]) -> tuple[FlagCall, FlagCall] | None:
    """A call that makes one pair too many in its block, where another pair lacks one: it, and a call of the pair to which
    it belongs."""
    for block in blocks(text, calls):
        pairs = defaultdict(list)
        for call in block:
            pairs[call.source, call.target, call.id].append(call)
        for over in pairs.values():
            for under in pairs.values():
                if (wrong := _belongs(over, under)) is not None:
                    return wrong, under[0]
    return None


def other_slot(
    text: str, calls: Sequence[FlagCall], source: str, target: str
) -> tuple[FlagCall, FlagCall] | None:
    """The set, or the wait, of this pair that names another id than the one call it belongs to in its block, and that
    call: the odd one is the one whose id nothing else in the block names, where other flags go round with the other id.
    """
    for block in blocks(text, calls):
        pair = [c for c in block if (c.source, c.target) == (source, target)]
        if len(pair) != 2 or pair[0].sets == pair[1].sets or pair[0].id == pair[1].id:
            continue
        counts = Counter(c.id for c in block)
        odd = [c for c in pair if counts[c.id] == 1]
        if len(odd) == 1:
            return odd[0], next(c for c in pair if c is not odd[0])
    return None


def set_too_often(calls: Sequence[FlagCall], wait: FlagCall) -> FlagCall | None:
    """A set of the one pair that shares a pipe and the id with `wait`, and that lacks a wait, where `wait` lacks a set."""
    balance: Counter[tuple[str, str, str]] = Counter()
    for c in calls:
        balance[c.source, c.target, c.id] += 1 if c.sets else -1
    if balance[wait.source, wait.target, wait.id] >= 0:
        return None
    found = [
        c
        for c in calls
        if c.sets
        and c.id == wait.id
        and (c.source == wait.source) != (c.target == wait.target)
        and balance[c.source, c.target, c.id] == 1
    ]
    pairs = {(c.source, c.target) for c in found}
    return found[0] if len(pairs) == 1 else None


def never_set_again(text: str, calls: Sequence[FlagCall], wait: FlagCall) -> FlagCall | None:
    """The wait in a loop whose flag no line of that loop sets, where `wait`, it or one behind the loop, finds none."""
    own = [c for c in calls if (c.source, c.target, c.id) == (wait.source, wait.target, wait.id)]
    if sum(1 if c.sets else -1 for c in own) != -1:
        return None
    for block in blocks(text, own):
        if any(c.sets for c in block):
            continue
        behind = [c for c in own if c.line > block[-1].line] if wait in block else [wait]
        if any(_left_before(text, block[0], c) for c in behind):
            return block[0]
    return None


def _left_before(text: str, inner: FlagCall, later: FlagCall) -> bool:
    """Whether the block of `inner` ends above `later`."""
    above = inner.line < later.line
    return above and nesting(text, inner.line, later.line) in (Nesting.INSIDE, Nesting.APART)


def blocks(text: str, calls: Sequence[FlagCall]) -> Iterator[list[FlagCall]]:
    """The calls of each block, from top to bottom."""
    left = list(calls)
    while left:
        first = left[0]
        block = [c for c in left if nesting(text, first.line, c.line) is Nesting.SAME]
        yield block
        left = [c for c in left if c not in block]


def _belongs(over: Sequence[FlagCall], under: Sequence[FlagCall]) -> FlagCall | None:
    """Of a pair with two sets and a wait, or two waits and a set: the one that belongs to a pair that lacks it."""
    one, other = over[0], under[0]
    if one.id != other.id or (one.source == other.source) == (one.target == other.target):
        return None
    sets, waits = [c for c in over if c.sets], [c for c in over if not c.sets]
    twice, once = (sets, waits) if len(sets) == 2 else (waits, sets)
    if (len(twice), len(once)) != (2, 1) or len(under) != 1 or under[0].sets == twice[0].sets:
        return None
    return max(twice, key=lambda c: abs(c.line - once[0].line))
