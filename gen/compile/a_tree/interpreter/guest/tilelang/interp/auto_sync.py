"""The synchronisation that the compiler inserts with `tl.ascend_auto_sync`.

For each buffer the latest access is known, with what was waited for since. A statement that uses a buffer which the
latest access leaves behind on another pipe gets a flag in front of it, one on the same pipe a barrier. Every `if` has
barriers of all pipes around it, and forgets. A loop is gone through twice, so that the second round sees what the first
left; both rounds' insertions stand in front of the statement then. (As tilelang-ascend 0.1.4 does it, faults included:
what a name holds and what an index reads is guarded by barriers of all pipes, and the first of two flags of one kind in
front of a statement keeps its id.)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from .auto_cross import Issued
from .program import Access, Block, Branch, Core, Key, Loop, Named, Node, Statement, Store

EVENT_IDS = 8
EVENTS = frozenset(
    [
        "MTE2_MTE1",
        "MTE1_MTE2",
        "MTE1_M",
        "M_MTE1",
        "MTE2_V",
        "V_MTE2",
        "MTE3_V",
        "V_MTE3",
        "M_V",
        "V_M",
        "V_V",
        "MTE3_MTE1",
        "MTE1_MTE3",
        "MTE1_V",
        "MTE2_M",
        "M_MTE2",
        "V_MTE1",
        "M_FIX",
        "FIX_M",
        "MTE3_MTE2",
        "MTE2_MTE3",
        "S_V",
        "V_S",
        "S_MTE2",
        "MTE2_S",
        "S_MTE3",
        "MTE3_S",
        "MTE2_FIX",
        "FIX_MTE2",
        "FIX_S",
        "M_S",
        "FIX_MTE3",
    ]
)
"""Pairs of pipes between which the compiler knows a flag."""


class Sync(NamedTuple):
    """One inserted call. `what` is a pipe of PipeBarrier, or two of SetFlag and WaitFlag."""

    call: str
    what: str
    id: int = 0

    @property
    def kind(self) -> tuple[str, str]:
        """Equal for calls of which the compiler keeps the first."""
        return self.call, self.what


ALL = Sync("PipeBarrier", "PIPE_ALL")


class Inserted(NamedTuple):
    """What a core issues around a node."""

    before: tuple[Sync, ...]
    behind: tuple[Sync, ...]


NOTHING = Inserted((), ())


@dataclass(frozen=True)
class Area:
    """Where a buffer lies: `memory`, from `low` to below `high` in bytes."""

    memory: str
    low: int
    high: int

    def meets(self, other: Area) -> bool:
        """Whether they share a byte."""
        return self.memory == other.memory and self.low < other.high and other.low < self.high


class Graph:
    """Which pipes wait for which."""

    def __init__(self) -> None:
        self._after: dict[str, set[str]] = {}

    def copy(self) -> Graph:
        """Another one with the same edges."""
        new = Graph()
        new.merge(self)
        return new

    def add(self, event: str) -> None:
        """An event of two pipes."""
        source, _, target = event.partition("_")
        self._after.setdefault(source, set()).add(target)

    def merge(self, other: Graph) -> None:
        """All edges of the other, too."""
        for source, targets in other._after.items():
            self._after.setdefault(source, set()).update(targets)

    def orders(self, event: str) -> bool:
        """Whether the second pipe of an event waits for the first already."""
        source, _, target = event.partition("_")
        seen = {source}
        reached = [source]
        while reached and target not in seen:
            new = self._after.get(reached.pop(), set()) - seen
            seen |= new
            reached += new
        return target in seen


@dataclass
class Latest:
    """The latest access to a buffer, and what was inserted since."""

    buffer: Any
    writes: bool
    pipe: str
    graph: Graph = field(default_factory=Graph)
    barriers: set[str] = field(default_factory=set)


@dataclass(frozen=True)
class Part:
    """What a block holds after the pass: a call that was inserted, or a node with the blocks in it."""

    node: Node | None
    sync: Sync | None = None
    blocks: tuple[list[Part], ...] = ()


Table = dict[Key, Inserted]


def inserted(program: list[Node], areas: Mapping[Any, Area]) -> Table:
    """What stands around each node of a kernel. `areas` are those of the buffers on the chip."""
    return _table(_Pass(areas).block(program))


def inserted_by_core(program: list[Node], areas: Mapping[Any, Area]) -> dict[Key, Table]:
    """The same of a kernel that is nothing but a block for each kind of core, by the key of the block."""
    parts = [part for part in _Pass(areas).block(program) if part.node is not None]
    return {part.node.key: _table(part.blocks[0]) for part in parts if part.node is not None}


def with_flags(found: Table, program: Iterable[Node]) -> Table:
    """With the flags between the cores that a program has, around the nodes that they belong to."""
    table = dict(found)
    for node in program:
        if not isinstance(node, Issued):
            continue
        mine = table.pop(node.key, NOTHING)
        call = "CrossCoreSetFlag" if node.flag.sets else "CrossCoreWaitFlag"
        sync = (*mine.before, Sync(call, node.flag.pipe, node.flag.id), *mine.behind)
        around = table.get(node.around, NOTHING)
        if node.flag.sets:
            table[node.around] = Inserted(around.before, (*around.behind, *sync))
        else:
            table[node.around] = Inserted((*_waits(around), *sync, *_others(around)), around.behind)
    return table


def _waits(around: Inserted) -> tuple[Sync, ...]:
    """What is put in front of a node for the flags that it waits for."""
    last = max(
        (i for i, s in enumerate(around.before) if s.call == "CrossCoreWaitFlag"), default=-1
    )
    return around.before[: last + 1]


def _others(around: Inserted) -> tuple[Sync, ...]:
    return around.before[len(_waits(around)) :]


def _table(parts: list[Part]) -> Table:
    found: dict[Key, tuple[list[Sync], list[Sync]]] = {}
    _collect(parts, found)
    return {key: Inserted(tuple(b), tuple(e)) for key, (b, e) in found.items()}


def _collect(parts: list[Part], found: dict[Key, tuple[list[Sync], list[Sync]]]) -> None:
    waiting: list[Sync] = []
    last: Part | None = None
    for part in parts:
        if part.sync is not None:
            waiting.append(part.sync)
            continue
        assert part.node is not None
        if waiting:
            found.setdefault(part.node.key, ([], []))[0].extend(waiting)
        waiting, last = [], part
        for block in part.blocks:
            _collect(block, found)
    if last is not None and waiting:
        found.setdefault(_end(last).key, ([], []))[1].extend(waiting)


def _end(part: Part) -> Node:
    """The node behind which a core gets to the end of a part: what has a name runs on to the end of its block."""
    assert part.node is not None
    if not isinstance(part.node, Named):
        return part.node
    return _end([inner for inner in part.blocks[0] if inner.sync is None][-1])


class _Pass:
    def __init__(self, areas: Mapping[Any, Area]) -> None:
        self.areas = areas
        self.latest: dict[Any, Latest] = {}
        self.flags = 0

    def block(self, block: list[Node]) -> list[Part]:
        return [part for node in block for part in self._node(node)]

    def _node(self, node: Node) -> list[Part]:
        if isinstance(node, Statement):
            return self._statement(node)
        if isinstance(node, Store):
            return self._store(node)
        if isinstance(node, Branch):
            return self._branch(node)
        if isinstance(node, Loop):
            rounds = [_flat(self.block(node.body)) for _ in range(2)]
            return [Part(node, blocks=(_merged(*rounds),))]
        if isinstance(node, Core):
            outside, self.latest = self.latest, {}
            body = self.block(node.body)
            self.latest = outside
            return [Part(node, blocks=(body,))]
        assert isinstance(node, Block)
        guard = [Part(None, ALL)] if isinstance(node, Named) and node.loaded else []
        return [*guard, Part(node, blocks=(self.block(node.body),))]

    def _branch(self, node: Branch) -> list[Part]:
        sides = []
        for side in node.sides:
            self.latest = {}
            sides.append(self.block(side))
        self.latest = {}
        return [Part(None, ALL), Part(node, blocks=tuple(sides)), Part(None, ALL)]

    def _statement(self, node: Statement) -> list[Part]:
        needed = [("PipeBarrier_ALL", None)] if node.sliced else []
        for access in node.accesses:
            needed += self._needed(access, node.pipe)
        chosen = self._chosen(needed)
        found = self._issued(chosen)
        self._note(chosen)
        for access in node.accesses:
            self.latest[access.buffer] = Latest(access.buffer, access.writes, node.pipe)
        return [*found, Part(node)]

    def _store(self, node: Store) -> list[Part]:
        needed = []
        for source in dict.fromkeys(node.loaded):
            for kind, buffer, before in self._relations(Access(source, False), "PIPE_S"):
                if before.pipe != "PIPE_S" and not _done(kind, before):
                    needed.append((kind, buffer))
        chosen = self._chosen(needed)
        found = self._issued(chosen)
        for source in node.loaded:
            self.latest[source] = Latest(source, False, "PIPE_S")
        self.latest[node.target] = Latest(node.target, True, "PIPE_S")
        self._note(chosen)
        return [*found, Part(node)]

    def _needed(self, access: Access, pipe: str) -> list[tuple[str, Any]]:
        return [(kind, buffer) for kind, buffer, _ in self._relations(access, pipe)]

    def _relations(self, access: Access, pipe: str) -> Iterable[tuple[str, Any, Latest]]:
        """What an access needs, and the earlier one for which it does."""
        for before in self._related(access.buffer):
            kind = _required(before, pipe) if before.writes or access.writes else ""
            if kind:
                yield kind, access.buffer, before

    def _related(self, buffer: Any) -> list[Latest]:
        """The latest accesses to the buffer and to those that share memory with it."""
        area = self.areas.get(buffer)
        return [
            before
            for other, before in self.latest.items()
            if other is buffer
            or (area is not None and other in self.areas and area.meets(self.areas[other]))
        ]

    def _chosen(self, needed: list[tuple[str, Any]]) -> list[str]:
        """Those that the others, and what the buffers waited for already, do not make superfluous."""
        kinds = sorted({kind for kind, _ in needed})
        return [
            kind
            for kind in kinds
            if any(not self._satisfied(kind, buffer, kinds) for k, buffer in needed if k == kind)
        ]

    def _satisfied(self, kind: str, buffer: Any, kinds: list[str]) -> bool:
        event = _event(kind)
        if not event:
            return False
        graph = self.latest[buffer].graph.copy() if buffer in self.latest else Graph()
        for other in kinds:
            if other != kind and _event(other):
                graph.add(_event(other))
        return graph.orders(event)

    def _issued(self, kinds: list[str]) -> list[Part]:
        found = []
        for kind in kinds:
            event = _event(kind)
            if event:
                self.flags = (self.flags + 1) % EVENT_IDS
                found.append(Part(None, Sync("SetFlag", event, self.flags)))
                found.append(Part(None, Sync("WaitFlag", event, self.flags)))
            else:
                pipe = kind.removeprefix("PipeBarrier_")
                found.append(Part(None, ALL if pipe == "ALL" else Sync("PipeBarrier", pipe)))
        return found

    def _note(self, kinds: list[str]) -> None:
        """All accesses so far know what was inserted."""
        graph = Graph()
        for kind in kinds:
            if _event(kind):
                graph.add(_event(kind))
        for before in self.latest.values():
            before.graph.merge(graph)
            before.barriers.update(k for k in kinds if k == f"PipeBarrier_{before.pipe}")


def _required(before: Latest, pipe: str) -> str:
    barrier = f"PipeBarrier_{before.pipe}"
    if before.pipe == pipe and barrier not in before.barriers:
        return barrier
    event = f"{before.pipe}_{pipe}".replace("PIPE_", "")
    return f"EventPair_{event}" if event in EVENTS else ""


def _event(kind: str) -> str:
    """The pipes of a flag; empty for a barrier."""
    return kind.removeprefix("EventPair_") if kind.startswith("EventPair_") else ""


def _done(kind: str, before: Latest) -> bool:
    event = _event(kind)
    return before.graph.orders(event) if event else kind in before.barriers


def _flat(parts: list[Part]) -> list[Part]:
    """In a loop every assignment has a barrier in front of it."""
    found = []
    for part in parts:
        if isinstance(part.node, Store):
            found.append(Part(None, ALL))
        found.append(part)
    return found


def _merged(first: list[Part], second: list[Part]) -> list[Part]:
    """One round of both: the nodes of the first, with the insertions of both in front of each."""
    one, two = _grouped(first), _grouped(second)
    found: list[Part] = []
    for (syncs, node), (more, _) in zip(one, two, strict=True):
        if node is None:
            found += [*syncs, *more]
            continue
        kept: dict[tuple[str, str], Part] = {}
        for part in (*syncs, *more):
            assert part.sync is not None
            kept.setdefault(part.sync.kind, part)
        found += [*kept.values(), node]
    return found


def _grouped(parts: list[Part]) -> list[tuple[list[Part], Part | None]]:
    """The nodes, each with the insertions in front of it; last those behind all."""
    found: list[tuple[list[Part], Part | None]] = []
    waiting: list[Part] = []
    for part in parts:
        if part.sync is not None:
            waiting.append(part)
        else:
            found.append((waiting, part))
            waiting = []
    return [*found, (waiting, None)]
