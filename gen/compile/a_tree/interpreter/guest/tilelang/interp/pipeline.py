"""T.Pipelined with stages: in which order the compiler issues the statements of the loop, and with how many buffers.

Copies from GM that a later statement reads go to stage 0, everything else to the last stage: round `t` of the new loop
runs a statement of stage `s` for the index `t - s`. What leaves the range is left out, at the start and at the end. A
buffer that belongs to the loop and is written before it is read by a later stage gets versions, one for each index in
turn.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from . import program
from .buffer import Buffer
from .memory import Scope, home, uses
from .program import Key, Node, Use, base, nodes
from .refusal import RefusalError, unsupported

Marker = tuple[str, int] | None
"""A round of the start or the end of the loop, which the compiler writes out; None for the loop that is left."""

ON_CHIP = ("ub", "l1")
"""Where a copy from GM counts as one that runs ahead."""


@dataclass
class Statement:
    """One statement of the loop as the compiler has it there: what it reads and writes, and where it runs."""

    turn: int = 0
    """The statement of the kernel that it is, or comes from."""
    waiting: frozenset[Key] = frozenset()
    """What else comes from that one, and waits for its own turn."""
    flag: int = 0
    """1: a flag of other cores that the next statement waits for; -1: one that is set for the last one."""
    reads: set[Buffer] = field(default_factory=set)
    writes: set[Buffer] = field(default_factory=set)
    kept: set[Buffer] = field(default_factory=set)
    """Written and read at once: the compiler's second look counts them as read, its first does not."""
    loads_ahead: bool = False
    last_use: int = -1
    stage: int = -1
    order: int = -1

    def touch(self, uses: Sequence[Use]) -> None:
        """One operation."""
        for buffer, writes, kept in uses:
            (self.writes if writes else self.reads).add(buffer)
            if kept:
                self.kept.add(buffer)
        from_memory = any(buffer.scope == "global" for buffer in self.reads)
        if from_memory and any(use.writes and use.buffer.scope in ON_CHIP for use in uses):
            self.loads_ahead = True

    @property
    def all_reads(self) -> set[Buffer]:
        """As the dependencies are computed."""
        return self.reads | self.kept


def statements(turns: Sequence[tuple[int, Node]]) -> list[Statement]:
    """Of the nodes that the statements of the kernel have made: each with the number of the one that made it."""
    found = []
    for turn, node in turns:
        others = [other for n, other in turns if n == turn and other is not node]
        made = Statement(turn, frozenset(base(n.key) for n in nodes(others)))
        for inner in nodes([node]):
            if isinstance(inner, program.Statement):
                made.touch(inner.uses)
        found.append(made)
    return found


class Turn:
    """Which statement of the body runs; None for all of them."""

    def __init__(self, at: int | None) -> None:
        self.at = at

    def comes(self, statement: int) -> bool:
        """Whether it runs now."""
        return self.at is None or self.at == statement


ALL = Turn(None)


class Run(NamedTuple):
    """One statement that a core runs: for which index, with which version of buffers, in which loops, which copy of it,
    and whether the compiler prints the index as a number."""

    statement: Statement
    k: int
    version: int
    loops: tuple[Any, ...]
    marker: Marker
    printed: bool


class Schedule:
    """The order of the statements of one loop. Raises RefusalError where the compiler finds none."""

    def __init__(
        self, statements: Sequence[Statement], stages: int, given: Given | None = None
    ) -> None:
        self.statements = list(statements)
        if given is None:
            _find_last_uses(self.statements)
            _assign(self.statements, stages)
        else:
            given.assign(self.statements)
        _check_dependencies(self.statements)
        self.ordered = sorted(range(len(self.statements)), key=lambda i: self.statements[i].order)
        _check_flags([self.statements[i] for i in self.ordered])
        self.depth = max(s.stage for s in self.statements)

    def turns(self, start: int, stop: int) -> Iterator[Run]:
        """What a core runs, in order."""
        for t in range(self.depth):
            yield from self._round(("prologue", t), start + t, start, stop)
        for t in range(start + self.depth, stop):
            yield from self._round(None, t, start, stop)
        for t in range(self.depth):
            yield from self._round(("epilogue", t), stop + t, start, stop)

    def _round(self, marker: Marker, t: int, start: int, stop: int) -> Iterator[Run]:
        alone = stop - start - self.depth == 1
        loops = ("steady",) if marker is None else ()
        for i in self.ordered:
            statement = self.statements[i]
            k = t - statement.stage
            if start <= k < stop and not statement.flag:
                yield Run(statement, k, k, loops, marker, marker is not None or alone)

    def versions(self, buffer: Buffer) -> int:
        """How many of a buffer of the loop there are."""
        defined = [s.stage for s in self.statements if buffer in s.writes]
        used = [s.stage for s in self.statements if buffer in s.all_reads]
        if not defined:
            return 1
        number = max(used, default=-1) - min(defined) + 1
        if number >= 2 and not self._crossed(buffer):
            number -= 1
        return max(number, 1)

    def _crossed(self, buffer: Buffer) -> bool:
        writers = [s for s in self.statements if buffer in s.writes]
        readers = [s for s in self.statements if buffer in s.all_reads]
        return any(w.order < r.order and w.stage < r.stage for w in writers for r in readers)


class Given(NamedTuple):
    """Orders and stages that the kernel gives, for one statement each."""

    orders: Sequence[int]
    stages: Sequence[int]

    def assign(self, statements: Sequence[Statement]) -> None:
        """Raises RefusalError where they are not for these statements."""
        if len(self.orders) != len(statements) or len(self.stages) != len(statements):
            raise RefusalError(
                f"this T.Pipelined has {len(statements)} statements, {len(self.orders)} orders and {len(self.stages)}"
                " stages: the compiler fails",
                "give one of each for every statement",
            )
        if sorted(self.orders) != list(range(len(statements))):
            raise RefusalError(
                f"order={list(self.orders)} does not put {len(statements)} statements in a row: the compiler fails",
                f"use each of 0 to {len(statements) - 1} once",
            )
        for one, order, stage in zip(statements, self.orders, self.stages, strict=True):
            one.order, one.stage = order, stage


def _find_last_uses(statements: Sequence[Statement]) -> None:
    for i, one in enumerate(statements):
        if not one.loads_ahead:
            continue
        for j in range(i + 1, len(statements)):
            if one.writes & statements[j].reads:
                one.last_use = j
            both = one.writes & statements[j].writes
            if both:
                name = min(buffer.name for buffer in both)
                raise RefusalError(
                    f"two statements of this T.Pipelined write {name}, and the compiler takes one that copies from GM"
                    " for the only one",
                    "give the second a buffer of its own, or use T.serial",
                )


def _assign(statements: Sequence[Statement], stages: int) -> None:
    """Stages and orders: a copy follows its last reader."""
    order = 0
    for i, one in enumerate(statements):
        if one.loads_ahead and one.last_use != -1:
            continue
        one.stage, one.order = stages, order
        order += 1
        for other in statements:
            if other.loads_ahead and other.last_use == i:
                other.stage, other.order = 0, order
                order += 1
    ahead = [one for one in statements if one.loads_ahead]
    rest = [one for one in statements if not one.loads_ahead]
    if any(one.order == -1 for one in statements):
        raise unsupported("a T.Pipelined whose copies only copies read")
    if not ahead or stages < 2:
        return
    if min(one.order for one in ahead) > max((one.order for one in rest), default=0):
        for one in statements:
            one.order = (one.order + len(ahead)) % len(statements)
            one.stage -= not one.loads_ahead


def _check_dependencies(statements: Sequence[Statement]) -> None:
    for i, writer in enumerate(statements):
        for reader in statements[i:]:
            if reader is writer or not writer.writes & reader.all_reads:
                continue
            same = writer.stage == reader.stage and writer.order >= reader.order
            if writer.stage > reader.stage or same:
                name = min(buffer.name for buffer in writer.writes & reader.all_reads)
                raise RefusalError(
                    f"a copy from GM of this T.Pipelined reads {name}, which a statement in front of it writes: the"
                    " compiler would issue the copy rounds before",
                    "use T.serial",
                )


def _check_flags(ordered: Sequence[Statement]) -> None:
    """Flags between the cores are statements of their own to the compiler."""
    for i, one in enumerate(ordered):
        beside = ordered[(i + one.flag) % len(ordered)]
        if (beside.turn, beside.stage) != (one.turn, one.stage):
            raise RefusalError(
                (
                    "the compiler takes the wait for the flag of another core, which it inserts in front of a copy of this"
                    " T.Pipelined, for a statement of its own, and runs it when the copy has run"
                    if one.flag > 0
                    else "the compiler sets the flag for another core, which it inserts behind a copy of this T.Pipelined,"
                    " rounds before or after the copy"
                ),
                "use T.serial",
            )


@dataclass
class Pipeline:
    """One loop in the plan: `aside` is its body as it was written, `block` what is made of it."""

    schedule: Schedule
    aside: Scope
    block: Scope


def versions(pipelines: Sequence[Pipeline], root: Scope) -> dict[Buffer, int]:
    """The buffers that have several versions."""
    found: dict[Buffer, int] = {}
    outside = uses(root)
    for pipeline in pipelines:
        for buffer, scopes in uses(pipeline.aside).items():
            if any(not scope.inside(pipeline.block) for scope in outside.get(buffer, [])):
                continue
            if home(scopes, pipeline.aside) is not pipeline.aside:
                raise unsupported(f"{buffer.name}, which only an inner loop of a T.Pipelined uses")
            number = pipeline.schedule.versions(buffer)
            if number > 1:
                found[buffer] = number
    return found


def plain(value: Any) -> int | None:
    """A number that is known before a core runs."""
    if isinstance(value, int):
        return int(value)
    known = getattr(value, "value", None)
    return known if isinstance(known, int) else None
