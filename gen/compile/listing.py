"""Emitted device source, line by line: where each line comes from, and what its synchronisation guards.

Synchronisation that a compiler inserts comes from no line of the kernel. What it is for shows in where it stands: a
wait holds back what its pipe is issued next, a set tells of what its pipe was issued last, and a loop comes round
again. Before the first loop there are sets with nothing before them: they guard what the wait for them guards. After
the last one there are waits with nothing behind them: they guard what the set that they take tells of.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

ALL = "ALL"
"""Stands for every pipe."""

PipesOf: TypeAlias = "Callable[[str], tuple[str, ...]]"
SyncOf: TypeAlias = "Callable[[str], Sync | None]"


class Kind(StrEnum):
    """What a synchronisation does."""

    SET = "set"
    WAIT = "wait"
    BARRIER = "barrier"
    LOCK = "lock"
    UNLOCK = "unlock"
    THREADS = "threads"
    """A barrier of the threads of one vector function."""


_LOOP = re.compile(r"\s*(?:for|while)\b")
_FOLLOWS = (Kind.SET, Kind.UNLOCK)
"""Kinds that tell of what was issued before them."""


@dataclass(frozen=True)
class Sync:
    """What a line of device source says about order: `first` is the pipe that goes on before `then` may.

    Where the other core, or nobody in particular, is on one side, that pipe is empty. Sets and waits of one `key` may
    belong together, those whose `id` is the same text before others.
    """

    kind: Kind
    first: str
    then: str
    key: str
    id: str = ""


@dataclass(frozen=True)
class Line:
    """One line of device source. Lines of the kernel count from 1; 0 is none that is known."""

    number: int
    text: str
    origin: int
    """The line of the kernel that it comes from."""
    sync: Sync | None = None
    inserted: bool = False
    """Whether the compiler inserted the synchronisation on this line."""
    guards: int = 0
    """The line of the kernel whose access the inserted synchronisation guards."""


@dataclass(frozen=True)
class Dialect:
    """How a tree's device source spells its instructions."""

    sync_of: SyncOf
    """What a line synchronises, if it does."""
    pipes_of: PipesOf
    """The pipes that the instruction on a line is issued to."""
    core: re.Pattern[str]
    """The line that opens what only one kind of core executes."""


def listing(
    source: str, origins: Mapping[int, int], dialect: Dialect, inserted: Collection[int]
) -> tuple[Line, ...]:
    """Every line of `source`; `inserted` are the lines of synchronisation that the compiler inserted."""
    texts = source.splitlines()
    syncs = {n: sync for n, text in enumerate(texts, 1) if (sync := dialect.sync_of(text))}
    places = _Places(texts, origins, dialect, syncs)
    return tuple(
        (
            Line(n, text, 0, syncs[n], inserted=True, guards=places.guarded(n))
            if n in syncs and n in inserted
            else Line(n, text, origins.get(n, 0), syncs.get(n))
        )
        for n, text in enumerate(texts, 1)
    )


def without_origin(source: str, origins: Mapping[int, int], dialect: Dialect) -> set[int]:
    """The lines of synchronisation that come from no line of the kernel."""
    lines = enumerate(source.splitlines(), 1)
    return {n for n, text in lines if n not in origins and dialect.sync_of(text)}


class _Places:
    """Where instructions stand in the blocks of the source."""

    def __init__(
        self,
        texts: Sequence[str],
        origins: Mapping[int, int],
        dialect: Dialect,
        syncs: Mapping[int, Sync],
    ) -> None:
        self._texts, self._origins, self._dialect, self._syncs = texts, origins, dialect, syncs
        self._pipes = {
            n: pipes
            for n, text in enumerate(texts, 1)
            if n in origins and n not in syncs and (pipes := dialect.pipes_of(text))
        }
        self._blocks = list(_blocks(texts))

    def guarded(self, number: int) -> int:
        """The line of the kernel whose access the synchronisation on line `number` guards; 0 where none is found."""
        sync = self._syncs[number]
        if sync.kind is Kind.THREADS:
            return self._next_statement(number)
        return self._origins.get(self._beside(number, sync) or self._of_partner(number, sync), 0)

    def _beside(self, number: int, sync: Sync) -> int:
        """The instruction that a set follows, or that comes after what holds back."""
        if sync.kind in _FOLLOWS:
            return self._backward(number, sync.first)
        return self._forward(number, sync.then)

    def _of_partner(self, number: int, sync: Sync) -> int:
        """What the next wait guards that may take a set; what the last set tells of that a wait may take."""
        sets = sync.kind in _FOLLOWS
        guarding = {
            n: found
            for n, other in self._syncs.items()
            if other.key == sync.key
            and (other.kind in _FOLLOWS) != sets
            and (found := self._beside(n, other))
        }
        fitting = (
            [n for n in guarding if self._syncs[n].id == sync.id]
            or [n for n in guarding if not self._syncs[n].id.isdigit()]
            or list(guarding)
        )
        later = [n for n in fitting if n > number] or fitting
        earlier = [n for n in fitting if n < number] or fitting
        nearest = later[:1] if sets else earlier[-1:]
        return guarding[nearest[0]] if nearest else 0

    def _next_statement(self, number: int) -> int:
        """In a vector function: what comes next, or else what came last."""
        around = self._enclosing(number)
        first, last = around[-1] if around else (number, number)
        lines = (*range(number + 1, last), *range(number - 1, first, -1))
        return next((self._origins[n] for n in lines if n in self._origins), 0)

    def _forward(self, number: int, pipe: str) -> int:
        """The first instruction of `pipe` that is issued after line `number`; 0 where none is."""
        at = number
        *loops, whole = self._enclosing(number) or [(number, number)]
        for first, last in loops:
            # At the end of a loop its beginning comes next.
            if found := self._first((*range(at + 1, last), *range(first, at)), pipe):
                return found
            at = last
        return self._first(range(at + 1, whole[1]), pipe)

    def _backward(self, number: int, pipe: str) -> int:
        """The last instruction of `pipe` that was issued before line `number`; 0 where none was."""
        at = number
        *loops, whole = self._enclosing(number) or [(number, number)]
        for first, last in loops:
            if found := self._first((*range(at - 1, first, -1), *range(last, at, -1)), pipe):
                return found
            at = first
        return self._first(range(at - 1, whole[0], -1), pipe)

    def _first(self, lines: Iterable[int], pipe: str) -> int:
        """The first of `lines` that is issued to `pipe`."""
        return next(
            (n for n in lines if n in self._pipes and (pipe == ALL or pipe in self._pipes[n])), 0
        )

    def _enclosing(self, number: int) -> list[tuple[int, int]]:
        """Loops around a line, the innermost first, then what its core executes of the function."""
        around = [b for b in self._blocks if b[0] < number < b[1]]
        loops = [b for b in around if _LOOP.match(self._texts[b[0] - 1])]
        core = [b for b in around if self._dialect.core.match(self._texts[b[0] - 1])]
        return [*reversed(loops), *(core or around)[:1]]


def _blocks(texts: Sequence[str]) -> Iterator[tuple[int, int]]:
    """First and last line of each pair of braces that opens at the end of a line, outer ones first."""
    open_: list[int] = []
    found: list[tuple[int, int]] = []
    for number, text in enumerate(texts, 1):
        code = text.strip()
        if code.startswith("}") and open_:
            found.append((open_.pop(), number))
        if code.endswith("{"):
            open_.append(number)
    yield from sorted(found)
