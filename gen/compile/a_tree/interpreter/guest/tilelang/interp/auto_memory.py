"""Where buffers lie with `tl.ascend_memory_planning`.

Each buffer lives from the first statement that uses it to the last; one that was first used outside of a loop, to the
end of that loop. In the order of their first uses they get new memory while there is some, and then the first gap that
others have left. (As tilelang-ascend 0.1.4 does it.)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from .buffer import Buffer
from .memory import BLOCK, CAPACITY
from .program import Block, Branch, Loop, Named, Node, Outer, Statement, Store, nodes
from .refusal import RefusalError, unsupported


@dataclass(eq=False)
class Entry:
    """A line of the compiler's list of statements; a loop, branch or scope has two."""

    node: Node
    level: int
    """Loops around it."""
    touched: list[Buffer] = field(default_factory=list)


@dataclass(eq=False)
class Life:
    """A buffer from its first entry to its last."""

    buffer: Buffer
    start: int
    end: int

    @property
    def size(self) -> int:
        """Bytes."""
        return self.buffer.bytes


class _Sequence:
    def __init__(self, program: list[Node]) -> None:
        self.entries: list[Entry] = []
        self.first: dict[Buffer, int] = {}
        self._block(program, 0, Entry(Node(()), 0))

    def _touch(self, entry: Entry, used: Sequence[Any]) -> None:
        for buffer in used:
            if isinstance(buffer, Buffer) and buffer.scope in CAPACITY:
                entry.touched.append(buffer)
                self.first.setdefault(buffer, len(self.entries))

    def _block(self, block: list[Node], level: int, around: Entry) -> None:
        for node in block:
            if isinstance(node, Named):
                self._touch(around, node.loaded)
                self._block(node.body, level, around)
            elif isinstance(node, Outer):
                self._outer(node, level + isinstance(node, Loop))
            else:
                entry = Entry(node, level)
                self._touch(entry, _used(node))
                if entry.touched:
                    self.entries.append(entry)

    def _outer(self, node: Outer, level: int) -> None:
        end = Entry(node, level)
        self.entries.append(Entry(node, level))
        self._touch(end, node.loaded)
        if isinstance(node, Branch):
            for side in node.sides:
                self._block(side, level, end)
        elif isinstance(node, Block):
            self._block(node.body, level, end)
        self.entries.append(end)

    def lives(self) -> list[Life]:
        """Of all buffers that the compiler finds. Raises RefusalError."""
        place: dict[Node, int] = {}
        for i, entry in enumerate(self.entries):
            place.setdefault(entry.node, i)
        last: dict[Buffer, Entry] = {}
        for entry in reversed(self.entries):
            for buffer in entry.touched:
                last.setdefault(buffer, entry)
        found = []
        for buffer, index in self.first.items():
            born = self.entries[index] if index < len(self.entries) else None
            if born is None or buffer not in born.touched:
                raise unsupported(
                    f"memory for {buffer.name}, of which first an element is used in a condition or under a name"
                )
            end = self._end(last[buffer], born, last)
            found.append(Life(buffer, place[born.node], place[end]))
        return found

    def _end(self, killed: Entry, born: Entry, last: Mapping[Buffer, Entry]) -> Node:
        """The statement behind which nobody needs the buffer."""
        if killed.level <= born.level:
            return killed.node
        events = {e.node for e in last.values()} | {
            self.entries[i].node for i in self.first.values()
        }
        seen = [entry for entry in self.entries if entry.node in events]
        at = next(i for i, entry in enumerate(seen) if entry.node is killed.node)
        while at + 1 < len(seen) and seen[at + 1].level != born.level - 1:
            at += 1
        return seen[at].node


def _used(node: Node) -> Sequence[Any]:
    if isinstance(node, Statement):
        return node.touched
    return (*node.loaded, node.target) if isinstance(node, Store) else ()


def place(
    program: list[Node], given: Mapping[Buffer, int], order: Sequence[str]
) -> list[list[Buffer]]:
    """Gives every buffer its address; `given` are those that the kernel chose.

    Returns the buffers that begin with one statement, of one memory: which of them comes first is chance in the
    compiler (the order of a hash table of pointers). Here those in `order` come first, as they do there.

    Raises RefusalError.
    """
    lives = _Sequence(program).lives()
    rank = {name: i for i, name in enumerate(order)}
    copied = any(isinstance(n, Statement) and len(n.key) > 2 for n in nodes(program))
    chance = []
    for memory, limit in CAPACITY.items():
        mine = [life for life in lives if life.buffer.scope == memory]
        mine.sort(key=lambda life: (life.start, rank.get(life.buffer.name, len(rank))))
        for _, group in groupby(mine, key=lambda life: life.start):
            names = [life.buffer for life in group]
            chance += [names] if len(names) > 1 else []
        _Allocator(memory, limit, mine, given, copied).run()
    return chance


class _Allocator:
    """One memory."""

    def __init__(
        self,
        memory: str,
        limit: int,
        lives: list[Life],
        given: Mapping[Buffer, int],
        copied: bool,
    ) -> None:
        self.memory, self.limit, self.lives, self.copied = memory, limit, lives, copied
        self.given = {life: given[life.buffer] for life in lives if life.buffer in given}
        self.next = 0
        self.active: list[tuple[Life, int]] = []
        self.free: list[tuple[int, int]] = []

    def run(self) -> None:
        """Gives out all addresses."""
        for life in self.lives:
            for other, offset in [a for a in self.active if a[0].end < life.start]:
                self.free.append((offset, other.size))
                self.active.remove((other, offset))
            self._merge()
            offset = self._chosen(life) if life in self.given else self._new(life)
            life.buffer.address = offset
            self.active.append((life, offset))

    def _chosen(self, life: Life) -> int:
        offset = _up(self.given[life])
        end = offset + life.size
        for other, low in self.active:
            if offset < low + other.size and low < end:
                raise RefusalError(
                    f"{life.buffer.name} is put on {other.buffer.name}, which is in use, and the compiler fails",
                    "choose another address",
                )
        if offset > self.next:
            self.free.append((self.next, offset - self.next))
        self.next = max(self.next, end)
        return offset

    def _new(self, life: Life) -> int:
        offset = _up(self.next)
        if offset + life.size <= self.limit and not self._conflicts(offset, life):
            self.next = offset + life.size
            return offset
        if self.copied:
            raise unsupported(
                "memory planning where buffers share memory and the compiler writes loops out"
            )
        found = self._gap(life)
        if found is None:
            raise RefusalError(
                f"{life.buffer.name} of {life.size:,} bytes finds no room in {self.memory.upper()}, which has"
                f" {self.limit:,}: the compiler fails",
                "make tiles smaller",
            )
        self._take(found, life.size)
        return found

    def _conflicts(self, offset: int, life: Life) -> bool:
        return any(
            life.start < other.end
            and other.start < life.end
            and offset < low + other.size
            and low < offset + life.size
            for other, low in self.given.items()
            if other is not life
        )

    def _gap(self, life: Life) -> int | None:
        self.free.sort()
        for low, size in self.free:
            if self._fits(low, size, life):
                return _up(low)
        if not self.free:
            return None
        low, size = self.free[-1]
        if low + size != self.next:
            return None
        # What is left at the end belongs to the last gap.
        self.next = self.limit
        self.free[-1] = (low, self.limit - low)
        return _up(low) if self._fits(low, self.limit - low, life) else None

    def _fits(self, low: int, size: int, life: Life) -> bool:
        start = _up(low)
        return size - (start - low) >= life.size and not self._conflicts(start, life)

    def _take(self, offset: int, size: int) -> None:
        for i, (low, length) in enumerate(self.free):
            if low <= offset < low + length:
                del self.free[i]
                if offset > low:
                    self.free.append((low, offset - low))
                if offset + size < low + length:
                    self.free.append((offset + size, low + length - offset - size))
                return

    def _merge(self) -> None:
        merged: list[tuple[int, int]] = []
        for low, size in sorted(self.free):
            if merged and merged[-1][0] + merged[-1][1] >= low:
                before = merged[-1][0]
                merged[-1] = (before, max(sum(merged[-1]), low + size) - before)
            else:
                merged.append((low, size))
        self.free = merged


def _up(n: int) -> int:
    return -(-n // BLOCK) * BLOCK
