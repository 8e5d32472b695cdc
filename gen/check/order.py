"""Which conflicting accesses are ordered: an independent answer, by searching a graph of what happens before what.

The engine judges order with vector clocks while it replays. This module takes a finished trace instead, writes every
reason for order down as an edge between the issue, the start and the end of operations, and asks whether the end of one
access reaches the start of the other. It shares no code with the engine: each checks the other (tests/model), and that
a changed program still orders every pair of conflicting accesses is shown here (`unordered`).

What orders: the scalar unit issues in program order, and waits where it has to; each pipe starts in that order; a set
follows all that its pipe was issued before; the n-th wait follows the n-th set; a barrier, a mutex, a flag between
cores. Sources: asc-devkit, docs, 同步控制; which conflicts the hardware orders by itself, see `_Hardware`.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from gen.sim import Profile
from gen.sim.trace import LaunchTrace, Operation, Touch, Trace

__all__ = ["Conflict", "ordered_conflicts", "unordered"]

Key: TypeAlias = tuple[int, int, str, int]
"""Launch, block, core and ordinal of a data instruction: the same when only synchronisation changes."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two instructions of one launch that share bytes, of which one of them writes.

    `first` comes first in the program of their core, or belongs to the core that is named first.
    """

    first: Operation
    second: Operation

    @property
    def key(self) -> tuple[Key, Key]:
        """Identifies the two instructions whatever the synchronisation around them."""
        return _key(self.first), _key(self.second)


def _key(op: Operation) -> Key:
    return (op.launch, op.block, op.core, op.ordinal)


def unordered(trace: Trace, profile: Profile) -> list[Conflict]:
    """The conflicts that nothing orders. What never ran (a deadlock) is left out."""
    return [c for launch in trace.launches for c in _Launch(launch, profile).conflicts(False)]


def ordered_conflicts(trace: Trace, profile: Profile) -> list[Conflict]:
    """The conflicts that something orders."""
    return [c for launch in trace.launches for c in _Launch(launch, profile).conflicts(True)]


class _Launch:
    """Blocks that do not synchronise with each other are looked at one by one, and equal ones once."""

    def __init__(self, launch: LaunchTrace, profile: Profile) -> None:
        self._hardware = _Hardware(profile)
        self._blocks: dict[int, list[Operation]] = defaultdict(list)
        for op in launch.operations:
            if not op.pending:
                self._blocks[op.block].append(op)
        self._synchronised = any(_of_all_blocks(op) for ops in self._blocks.values() for op in ops)

    def conflicts(self, ordered: bool) -> Iterator[Conflict]:
        if self._synchronised:
            every = [op for ops in self._blocks.values() for op in ops]
            yield from _Conflicts(_Graph(every, self._hardware)).pairs(ordered)
            return
        known: dict[object, list[tuple[int, int]]] = {}
        for ops in self._blocks.values():
            program = sorted(ops, key=lambda op: (op.core, op.index))
            shape = _shape(program)
            if shape not in known:
                graph = _Graph(program, self._hardware)
                known[shape] = [graph.positions(c) for c in _Conflicts(graph).pairs(ordered)]
            yield from (Conflict(program[a], program[b]) for a, b in known[shape])
        if not ordered:
            yield from _between_blocks(self._blocks)


def _of_all_blocks(op: Operation) -> bool:
    by_words = op.kind in ("word_signal", "word_wait")
    crosses = op.kind in ("cross_set", "cross_wait") and op.mode == 0
    return op.kind == "sync_all" or by_words or crosses


def _shape(program: Sequence[Operation]) -> object:
    """Equal for blocks that do the same, each on bytes of its own."""
    lowest: dict[int, int] = {}
    for op in program:
        for t in op.touches:
            if t.tensor is not None:
                lowest[t.tensor] = min(lowest.get(t.tensor, t.base), t.base)
    return tuple(
        (
            *(op.core, op.pipe, op.kind, op.other, op.id, op.mode, op.blocking),
            *(op.order_class, op.unit_flag, op.continues, op.skipped),
            tuple(_relative(t, lowest) for t in op.touches),
        )
        for op in program
    )


def _relative(t: Touch, lowest: Mapping[int, int]) -> object:
    base = t.base if t.tensor is None else t.base - lowest[t.tensor]
    return (t.space, t.unit, t.tensor, base, t.rows, t.row_bytes, t.pitch, t.write, t.atomic)


# ---- what the hardware orders by itself ------------------------------------------------------------------------------


class _Hardware:
    """Conflicts that need no synchronisation.

    Within a pipe: S, MTE1 and FIX work one after the other; V does on dav-3510, and on dav-2201 where the compiler puts
    barriers (`auto_sync`); MTE2 and MTE3 start in order but end as they come, so that two writes to the same bytes do
    not keep their order; an Mmad that adds to what the one before computes needs a barrier while the tile is small
    (asc-devkit, docs, 同步控制/核内同步 and Mmad). Between pipes: Mmad and Fixpipe with a unit flag; with `auto_sync` on an
    AIV also the scalar unit with V, MTE2 and MTE3.
    """

    def __init__(self, profile: Profile) -> None:
        self.profile = profile
        self._vector_in_order = profile.chip == "3510" or profile.auto_sync

    def within(self, pipe: str, first_writes: bool, second_writes: bool) -> bool:
        """Two instructions of one pipe, `first` earlier in the program, of different order classes."""
        match pipe:
            case "V":
                return self._vector_in_order
            case "M":
                return second_writes or not first_writes
            case "MTE2" | "MTE3":
                return not (first_writes and second_writes)
            case _:
                return True

    def between(self, a: Operation, b: Operation) -> bool:
        """Two instructions of different pipes of one core."""
        pipes = {a.pipe, b.pipe}
        if pipes == {"M", "FIX"}:
            return bool(a.unit_flag and b.unit_flag)
        scalar = "S" in pipes and bool(pipes & {"V", "MTE2", "MTE3"})
        return scalar and self.profile.auto_sync and a.core != "AIC"


# ---- the graph -------------------------------------------------------------------------------------------------------

# A load of the scalar unit is not among them: the unit goes on until something needs the value, so that what it issues
# next may overtake the load.
_OF_WORDS = frozenset({"word_signal", "word_wait"})
_STOPS = frozenset({"barrier_all", "sync_all"}) | _OF_WORDS
_BLOCKS_ITS_PIPE = (
    frozenset({"wait_flag", "cross_wait", "pipe_barrier", "mutex_lock", "sync_all"}) | _OF_WORDS
)
_FOLLOWS_ITS_PIPE = frozenset({"set_flag", "cross_set", "pipe_barrier", "mutex_unlock"})
_DRAINS_ITS_CORE = _STOPS

_ISSUE, _START, _END, _DONE = range(4)
"""Events of an operation; `_DONE`: it and all before it on its pipe have ended."""

Bits: TypeAlias = int
"""A set of operations: bit n is the n-th one of the graph."""


class _Graph:
    """Events of the operations of one block, or of all blocks; `ops` in any order."""

    def __init__(self, ops: Iterable[Operation], hardware: _Hardware) -> None:
        self.hardware = hardware
        self.ops = sorted(ops, key=lambda op: (op.block, op.core, op.index))
        self.position = {id(op): n for n, op in enumerate(self.ops)}
        self._before: list[list[int]] = [[] for _ in range(4 * len(self.ops))]
        cores: dict[tuple[int, str], list[int]] = defaultdict(list)
        for n, op in enumerate(self.ops):
            cores[op.block, op.core].append(n)
        for program in cores.values():
            self._core(program)
        self._event_flags(cores)
        self._mutexes(cores)
        self._sync_all()
        self._words()
        self._hidden()
        self._counted = _Counters(self.ops, hardware.profile)
        self.before, self.after = self._close()

    def positions(self, conflict: Conflict) -> tuple[int, int]:
        """Where its two operations stand in `ops`."""
        return self.position[id(conflict.first)], self.position[id(conflict.second)]

    def _edge(self, a: int, event_a: int, b: int, event_b: int) -> None:
        self._before[4 * b + event_b].append(4 * a + event_a)

    def _core(self, program: Sequence[int]) -> None:
        last_on: dict[str, int] = {}
        previous = -1
        for n in program:
            op = self.ops[n]
            for event, following in ((_ISSUE, _START), (_START, _END), (_END, _DONE)):
                self._edge(n, event, n, following)
            if previous >= 0:
                stops = self._stops_scalar(self.ops[previous])
                self._edge(previous, _END if stops else _ISSUE, n, _ISSUE)
            before = last_on.get(op.pipe, -1)
            if before >= 0:
                blocked = self.ops[before].kind in _BLOCKS_ITS_PIPE
                self._edge(before, _END if blocked else _START, n, _START)
                self._edge(before, _DONE, n, _DONE)
                if op.kind in _FOLLOWS_ITS_PIPE:
                    self._edge(before, _DONE, n, _END)
            if op.kind in _DRAINS_ITS_CORE:
                for other in last_on.values():
                    self._edge(other, _DONE, n, _START)
            last_on[op.pipe] = previous = n

    @staticmethod
    def _stops_scalar(op: Operation) -> bool:
        return op.kind in _STOPS or (op.pipe == "S" and op.kind in ("wait_flag", "cross_wait"))

    def _event_flags(self, cores: Mapping[tuple[int, str], Sequence[int]]) -> None:
        """The n-th wait takes the n-th set. Flags that several pipes wait for are left to the counters."""
        strict = self.hardware.profile.flag_identity == "strict"
        for program in cores.values():
            sets: dict[object, list[int]] = defaultdict(list)
            waits: dict[object, list[int]] = defaultdict(list)
            for n in program:
                op = self.ops[n]
                if op.kind == "set_flag":
                    sets[op.pipe, op.id, "" if strict else op.other].append(n)
                elif op.kind == "wait_flag":
                    waits[op.other, op.id, "" if strict else op.pipe].append(n)
            for flag, takers in waits.items():
                if len({self.ops[n].pipe for n in takers}) > 1:
                    continue
                for s, w in zip(sets[flag], takers, strict=False):
                    self._edge(s, _END, w, _END)

    def _mutexes(self, cores: Mapping[tuple[int, str], Sequence[int]]) -> None:
        """A blocking lock follows the unlocks before it in the program; a pipe learns nothing from its own."""
        for program in cores.values():
            unlocked: dict[int, dict[str, int]] = defaultdict(dict)
            for n in program:
                op = self.ops[n]
                if op.kind == "mutex_unlock":
                    unlocked[op.id][op.pipe] = n
                elif op.kind == "mutex_lock" and op.blocking:
                    for pipe, u in unlocked[op.id].items():
                        if pipe != op.pipe:
                            self._edge(u, _END, n, _END)

    def _sync_all(self) -> None:
        """The n-th SyncAll of a core ends when every core that takes part has come to its n-th."""
        rounds: dict[tuple[bool, str, int], list[int]] = defaultdict(list)
        done: dict[tuple[int, str, bool, str], int] = defaultdict(int)
        for n, op in enumerate(self.ops):
            if op.kind == "sync_all":
                key = (op.block, op.core, op.only_aiv, op.words)
                rounds[op.only_aiv, op.words, done[key]].append(n)
                done[key] += 1
        for members in rounds.values():
            hub = self._node()
            for n in members:
                self._before[hub].append(4 * n + _START)
                self._before[4 * n + _END].append(hub)

    def _words(self) -> None:
        """The n-th wait for a word takes the n-th signal; the next one follows it, where it waits for that."""
        signals: dict[str, list[int]] = defaultdict(list)
        waits: dict[str, list[int]] = defaultdict(list)
        for n, op in enumerate(self.ops):
            if op.kind in _OF_WORDS:
                (signals if op.kind == "word_signal" else waits)[op.words].append(n)
        for words, taken in waits.items():
            for s, w in zip(signals[words], taken, strict=False):
                self._edge(s, _END, w, _END)
            for w, s in zip(taken, signals[words][1:], strict=False):
                if self.ops[s].blocking:
                    self._edge(w, _END, s, _END)

    def _node(self) -> int:
        self._before.append([])
        return len(self._before) - 1

    def _hidden(self) -> None:
        """Conflicts between pipes that hardware or compiler order."""
        between: dict[tuple[int, str], list[int]] = defaultdict(list)
        for n, op in enumerate(self.ops):
            if op.is_data and not op.skipped and (op.unit_flag or self.hardware.profile.auto_sync):
                between[op.block, op.core].append(n)
        for program in between.values():
            scalar = [n for n in program if self.ops[n].pipe in ("S", "FIX")]
            for a in scalar:
                for b in program:
                    first, second = self.ops[min(a, b)], self.ops[max(a, b)]
                    if first.pipe == second.pipe or not self.hardware.between(first, second):
                        continue
                    if _clash(first, second):
                        # A wait for an event: it follows all of its pipe, and what the scalar unit waits for, all
                        # that it issues later waits for.
                        event = _ISSUE if second.pipe == "S" else _START
                        self._edge(min(a, b), _DONE, max(a, b), event)

    def _close(self) -> tuple[list[Bits], list[Bits]]:
        """For each operation, those that end before it starts, and those that start after it ends.

        Where several sets could serve a wait, those that must have been made are found by what is known so far; that
        may make more of them necessary.
        """
        while True:
            ended = self._ended_before()
            more = self._counted.edges(ended)
            if not more:
                break
            for s, w in more:
                self._edge(s, _END, w, _START if self.ops[w].is_data else _END)
        starting = self._reached(_turned(self._before), _START)
        before = [ended[4 * n + _START] for n in range(len(self.ops))]
        return before, [starting[4 * n + _END] for n in range(len(self.ops))]

    def _ended_before(self) -> list[Bits]:
        """For each event, the operations whose end comes before it (their own end included)."""
        return self._reached(self._before, _END)

    def _reached(self, previous: Sequence[Sequence[int]], event: int) -> list[Bits]:
        """For each event, the operations whose `event` is reached along `previous`."""
        waiting = [len(p) for p in previous]
        following = _turned(previous)
        found: list[Bits] = [0] * len(previous)
        ready = [node for node, count in enumerate(waiting) if count == 0]
        seen = 0
        while ready:
            node = ready.pop()
            seen += 1
            if node < 4 * len(self.ops) and node % 4 == event:
                found[node] |= 1 << (node // 4)
            for f in following[node]:
                found[f] |= found[node]
                waiting[f] -= 1
                if waiting[f] == 0:
                    ready.append(f)
        if seen != len(previous):
            raise ValueError("the operations of the trace wait for each other in a circle")
        return found


def _turned(edges: Sequence[Sequence[int]]) -> list[list[int]]:
    """The edges the other way round."""
    turned: list[list[int]] = [[] for _ in edges]
    for node, others in enumerate(edges):
        for other in others:
            turned[other].append(node)
    return turned


def _bits(mask: Bits) -> Iterator[int]:
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


# ---- flags that count ------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Counter:
    """What may serve the waits of one counter: sets by source. A wait takes one of each source."""

    sets: dict[object, list[int]] = field(default_factory=lambda: defaultdict(list))
    waits: list[int] = field(default_factory=list)
    modes: set[int] = field(default_factory=set)


class _Counters:
    """Flags between cores, and event flags that several pipes wait for.

    A wait ends only when more sets were made than waits have taken before it. Which set it was does not matter: a set is
    certain to have been made when the others that could have been made by then are too few.
    """

    def __init__(self, ops: Sequence[Operation], profile: Profile) -> None:
        self._ops = ops
        self._counters: dict[object, _Counter] = defaultdict(_Counter)
        self._known: set[tuple[int, int]] = set()
        aivs = {op.core for op in ops if op.core != "AIC"}
        cores = sorted({(op.block, op.core) for op in ops})
        strict = profile.flag_identity == "strict"
        for n, op in enumerate(ops):
            if op.kind == "cross_wait":
                self._counters[op.block, op.core, op.mode == 4, op.id].waits.append(n)
            elif op.kind == "cross_set":
                for block, core, id in _targets(op, cores, aivs):
                    counter = self._counters[block, core, op.mode == 4, id]
                    counter.sets[op.block, op.core].append(n)
                    counter.modes.add(op.mode)
            elif strict and op.kind == "set_flag":
                self._counters[op.block, op.core, op.pipe, "event", op.id].sets[""].append(n)
            elif strict and op.kind == "wait_flag":
                self._counters[op.block, op.core, op.other, "event", op.id].waits.append(n)

    def edges(self, ended: Sequence[Bits]) -> list[tuple[int, int]]:
        """(set, wait): the sets that are now seen to come before a wait, and were not before."""
        found = [e for c in self._counters.values() for e in self._certain(c, ended)]
        fresh = [edge for edge in found if edge not in self._known]
        self._known.update(fresh)
        return fresh

    def _certain(self, counter: _Counter, ended: Sequence[Bits]) -> Iterator[tuple[int, int]]:
        if len(counter.modes) > 1:
            return  # one id for several purposes: nothing is certain
        waits = sum(1 << w for w in counter.waits)
        users = list(counter.waits)
        if len({self._ops[w].pipe for w in users}) > 1:
            # What comes after waits of several pipes knows that each of them has taken one.
            users += [n for n, op in enumerate(self._ops) if op.is_data]
        for w in users:
            event = _START if self._ops[w].is_data else _END
            taken = (ended[4 * w + event] & waits).bit_count()
            if taken == 0:
                continue
            for sets in counter.sets.values():
                if len({self._ops[s].pipe for s in sets}) > 1:
                    yield from ((s, w) for s in self._needed(sets, w, taken, ended))
                elif len(sets) >= taken:
                    yield sets[taken - 1], w  # in the order of their pipe

    @staticmethod
    def _needed(sets: Sequence[int], w: int, taken: int, ended: Sequence[Bits]) -> Iterator[int]:
        possible = [s for s in sets if not ended[4 * s + _END] >> w & 1]
        for s in possible:
            without = [t for t in possible if not ended[4 * t + _END] >> s & 1]
            if len(without) < taken:
                yield s


def _targets(
    op: Operation, cores: Sequence[tuple[int, str]], aivs: set[str]
) -> Iterator[tuple[int, str, int]]:
    """Block, core and id of the counters that a set raises (asc-devkit, docs, CrossCoreSetFlag)."""
    match op.mode:
        case 0:
            cube = op.core == "AIC"
            yield from ((block, core, op.id) for block, core in cores if (core == "AIC") == cube)
        case 1:
            yield from ((op.block, core, op.id) for core in sorted(aivs))
        case 2 if op.core == "AIC":
            yield from ((op.block, core, op.id) for core in sorted(aivs))
        case 2:
            yield op.block, "AIC", op.id
        case _ if op.core == "AIC":
            yield op.block, "AIV0" if op.id < 16 else "AIV1", op.id % 16
        case _:
            yield op.block, "AIC", op.id % 16 + (16 if op.core == "AIV1" else 0)


# ---- conflicts -------------------------------------------------------------------------------------------------------


class _Conflicts:
    """Pairs of instructions of one graph that share bytes. Instructions that touch the same bytes are handled together."""

    def __init__(self, graph: _Graph) -> None:
        self._graph = graph
        self._users: dict[object, dict[Touch, Bits]] = defaultdict(dict)
        self._lanes: dict[tuple[int, str, str], Bits] = defaultdict(int)
        self._classes: dict[tuple[int, str, str, int], Bits] = defaultdict(int)
        whole = -1  # the instruction that a further part continues
        self._of: dict[int, int] = {}
        for n, op in enumerate(graph.ops):
            if not op.is_data or op.skipped:
                continue
            whole = whole if op.continues and whole >= 0 else n
            self._of[n] = whole
            self._lanes[op.block, op.core, op.pipe] |= 1 << n
            if op.order_class:
                self._classes[op.block, op.core, op.pipe, op.order_class] |= 1 << n
            for t in op.touches:
                block = op.block if t.tensor is None else -1
                users = self._users[block, t.space, t.unit, t.tensor]
                users[t] = users.get(t, 0) | 1 << n

    def pairs(self, ordered: bool) -> Iterator[Conflict]:
        """Each pair once: those that are ordered, or those that are not."""
        free: set[tuple[int, int]] = set()
        every: set[tuple[int, int]] = set()
        for users in self._users.values():
            for a, b in _meeting(list(users)):
                for n in _bits(users[b]):
                    others = users[a] & ~(1 << n)
                    free.update(self._pairs_with(n, self._free(others, n, a, b)))
                    if ordered:
                        every.update(self._pairs_with(n, others))
        ops = self._graph.ops
        wanted = every - free if ordered else free
        return (Conflict(ops[a], ops[b]) for a, b in sorted(wanted))

    def _pairs_with(self, n: int, others: Bits) -> Iterator[tuple[int, int]]:
        return ((min(m, n), max(m, n)) for m in _bits(others) if self._of[m] != self._of[n])

    def _free(self, others: Bits, n: int, a: Touch, b: Touch) -> Bits:
        """Those of `others`, users of `a`, that nothing orders with `n`, a user of `b`."""
        free = others & ~self._graph.before[n] & ~self._graph.after[n]
        return free & ~self._in_order(n, a, b) if free else 0

    def _in_order(self, n: int, a: Touch, b: Touch) -> Bits:
        """Users of `a` in the pipe of `n`, a user of `b`, that the hardware orders with it."""
        op = self._graph.ops[n]
        lane = self._lanes[op.block, op.core, op.pipe]
        earlier = lane & ((1 << n) - 1)
        mask = 0
        if self._graph.hardware.within(op.pipe, a.write, b.write):
            mask |= earlier
        if self._graph.hardware.within(op.pipe, b.write, a.write):
            mask |= lane & ~earlier
        if op.order_class:
            mask |= self._classes[op.block, op.core, op.pipe, op.order_class]
        return mask


def _meeting(touches: Sequence[Touch]) -> Iterator[tuple[Touch, Touch]]:
    """Pairs that share bytes of which one is written (a touch with itself included), not both atomic."""
    ordered = sorted(touches, key=lambda t: t.base)
    for i, a in enumerate(ordered):
        for b in ordered[i:]:
            if b.base >= a.end:
                break
            if (a.write or b.write) and not (a.atomic and b.atomic) and _overlap(a, b):
                yield a, b


def _clash(a: Operation, b: Operation) -> bool:
    return any(
        (t.space, t.unit, t.tensor) == (u.space, u.unit, u.tensor)
        and (t.write or u.write)
        and not (t.atomic and u.atomic)
        and _overlap(t, u)
        for t in a.touches
        for u in b.touches
    )


def _overlap(a: Touch, b: Touch) -> bool:
    """Whether two regions of one memory share a byte."""
    if a.base >= b.end or b.base >= a.end:
        return False
    if a.rows > b.rows:
        a, b = b, a
    return any(_row_meets(a.base + i * a.pitch, a.row_bytes, b) for i in range(a.rows))


def _row_meets(lo: int, length: int, region: Touch) -> bool:
    """Whether bytes lo.. lie in a row of `region`."""
    if region.rows == 1:
        return lo < region.base + region.row_bytes and region.base < lo + length
    # The last row that starts before the end of the bytes.
    row = min((lo + length - 1 - region.base) // region.pitch, region.rows - 1)
    return row >= 0 and lo < region.base + row * region.pitch + region.row_bytes


# ---- blocks that do not synchronise ----------------------------------------------------------------------------------


def _between_blocks(blocks: Mapping[int, Sequence[Operation]]) -> Iterator[Conflict]:
    """Conflicts in global memory: without synchronisation between the blocks, nothing orders any of them."""
    users: dict[int, dict[Touch, list[Operation]]] = defaultdict(lambda: defaultdict(list))
    for ops in blocks.values():
        for op in ops:
            for t in op.touches:
                if t.tensor is not None and not op.skipped:
                    users[t.tensor][t].append(op)
    found: dict[tuple[Key, Key], Conflict] = {}
    for of_tensor in users.values():
        if not any(t.write for t in of_tensor):
            continue
        for a, b in _meeting_writes(list(of_tensor)):
            for x in of_tensor[a]:
                for y in of_tensor[b]:
                    if x.block != y.block:
                        first, second = (x, y) if x.block < y.block else (y, x)
                        found[_key(first), _key(second)] = Conflict(first, second)
    yield from found.values()


def _meeting_writes(touches: Sequence[Touch]) -> Iterator[tuple[Touch, Touch]]:
    """As `_meeting`, without looking at two reads."""
    writes = sorted((t for t in touches if t.write), key=lambda t: t.base)
    reads = sorted((t for t in touches if not t.write), key=lambda t: t.base)
    yield from _meeting(writes)
    longest = max((t.end - t.base for t in reads), default=0)
    starts = [t.base for t in reads]
    for w in writes:
        for r in reads[bisect_left(starts, w.base - longest) :]:
            if r.base >= w.end:
                break
            if not (w.atomic and r.atomic) and _overlap(w, r):
                yield w, r
