"""The loops of the language."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from . import pipeline, program, sharing
from .buffer import Element
from .expression import Expression, truth, variable
from .implied import Fact
from .inserting import before, behind, key
from .look import alone
from .memory import Scope
from .parallel import Parallel
from .pipeline import ALL, Marker, Schedule, Statement, Turn
from .places import Site, line, site
from .program import Branch, Key
from .refusal import RefusalError, unsupported
from .scalar import Reading, number, whole
from .session import session


class Loop:
    """What `for` runs over: iterated by a core it gives numbers, in the plan one variable."""

    def __init__(self, start: Any, stop: Any, *, unrolled: bool = False) -> None:
        self.start, self.stop = start, sharing.rounds(stop)
        self.unrolled = unrolled
        self.here = site() if session().plan is not None else ()
        self.key: Key = ()
        """What it is called in the program."""

    def __iter__(self) -> Iterator[Any]:
        return self._planned() if session().plan is not None else self._run()

    def _run(self) -> Iterator[int]:
        if isinstance(self.stop, Reading) and not self.stop.named:
            raise unsupported("a loop up to a number that is computed from memory and has no name")
        if not isinstance(self.stop, Element):
            for i in range(whole(self.start), whole(self.stop)):
                with _copy(("round", i) if self.written_out else None):
                    yield i
            return
        # As the C++ has it: the element is read again in front of every round.
        i = whole(self.start)
        while i < whole(self.stop):
            yield i
            i += 1

    def _planned(self) -> Iterator[Any]:
        plan = session().plan
        assert plan is not None
        if self.unrolled and plan.kernel is not None and plan.kernel.threads == 2:
            raise unsupported("T.unroll with threads=2")
        stop = number(self.stop)
        rounds = stop - self.start
        known = rounds if isinstance(rounds, int) else getattr(rounds, "value", None)
        low, high = _low(self.start), _high(stop) - 1
        index = variable("loop", low, max(low, high))
        # What is written out is no loop any more where something is inserted.
        node = None if self.written_out else program.Loop(self.key, rounds=known, index=index)
        scope = plan.open(loop=True, rounds=known, node=node)
        try:
            if not self.written_out:
                if plan.look is not None:
                    plan.look.loops[alone(index)] = self.here
                yield index
                return
            for i in range(self.start, self.stop) or [self.start]:
                with _copy(("round", i)):
                    yield i
        finally:
            plan.close(scope)

    @property
    def written_out(self) -> bool:
        """Whether the compiler writes every round out."""
        return self.unrolled and all(isinstance(n, int) for n in (self.start, self.stop))


def _low(value: Any) -> float:
    return value.low if isinstance(value, Expression) else _bound(value, -1)


def _high(value: Any) -> float:
    return value.high if isinstance(value, Expression) else _bound(value, 1)


def _bound(value: Any, sign: int) -> float:
    return value if isinstance(value, int) else sign * float("inf")


def _whole(value: Any, what: str) -> Any:
    if isinstance(value, float | str) or value is None:
        raise RefusalError(f"{what} takes integers, not {value!r}")
    return value


def serial(start: Any, stop: Any = None, step: Any = None, *, annotations: Any = None) -> Loop:
    """One round after the other."""
    del annotations
    return _loop("T.serial", start, stop, step)


def unroll(
    start: Any, stop: Any = None, step: Any = None, *, explicit: Any = None, annotations: Any = None
) -> Loop:
    """As T.serial; the compiler writes every round out."""
    del explicit, annotations
    return _loop("T.unroll", start, stop, step, unrolled=True)


def _loop(name: str, start: Any, stop: Any, step: Any, *, unrolled: bool = False) -> Loop:
    if stop is None:
        start, stop = 0, start
    if step not in (None, 1):
        raise RefusalError(
            f"{name} counts in steps of 1: the compiler does not print another step",
            "multiply the index",
        )
    return Loop(_whole(start, name), _whole(stop, name), unrolled=unrolled)


class PipelinedLoop(Loop):
    """T.Pipelined: with `stages`, its statements run for different indices at a time."""

    def __init__(self, start: Any, stop: Any, stages: int) -> None:
        super().__init__(start, stop)
        self.stages = stages

    def staged(self, statements: int) -> Iterator[tuple[Any, Turn]]:
        """The index, and which statement of the body it is for."""
        now = session()
        inside = now.plan.aside if now.plan is not None else now.core.pipelined
        if not self.stages or inside:
            # The compiler takes only the outer one of two apart.
            return ((k, ALL) for k in iter(self))
        here = site()
        if now.plan is not None:
            return self._planned_stages(now.plan, statements, here)
        return self._run_stages(now.core, now.core.plan.schedules[here])

    def _run_stages(self, core: Any, schedule: Schedule) -> Iterator[tuple[int, Turn]]:
        core.pipelined = True
        start, stop = whole(self.start), whole(self.stop)
        middle = stop - start - schedule.depth
        looping = False
        for marker, statement, k in schedule.rounds(start, stop):
            if looping != (marker is None):
                looping = not looping
                (before if looping else behind)(self._steady)
            core.turn = k
            core.turn_printed = marker is not None or middle == 1
            with _copy(marker):
                yield k, Turn(statement)
        if looping:
            behind(self._steady)
        core.pipelined = False

    @property
    def _steady(self) -> Key:
        """What the loop between start and end is called in the program."""
        return ("steady", *self.key[1:])

    def _planned_stages(self, plan: Any, count: int, here: Site) -> Iterator[tuple[Any, Turn]]:
        pipeline.body(count, line())
        if self.start != 0 or isinstance(self.stop, Element | Reading):
            raise unsupported(
                "a T.Pipelined with stages that does not count from 0 to a plain number"
            )
        index = variable("loop", 0, max(0, _high(self.stop) - 1))
        outside, temporaries = plan.scope, plan.temporaries
        aside = Scope(loop=True)
        statements = []
        plan.program.paused = True
        for i in range(count):
            plan.scope = plan.top = aside
            plan.statement = Statement()
            statements.append(plan.statement)
            yield index, Turn(i)
        plan.statement, plan.scope, plan.temporaries = None, outside, temporaries
        plan.program.paused = False
        _check_cores(statements)
        schedule = plan.schedules[here] = Schedule(statements, self.stages)
        block = plan.open()
        plan.pipelines.append(pipeline.Pipeline(schedule, aside, block))
        for marker, scope in self._pieces(plan, schedule.depth):
            for i in schedule.ordered:
                runs = self._runs(marker, schedule.statements[i].stage)
                if runs is False:
                    continue
                part = plan.open() if runs is None else None
                if part is not None:
                    plan.program.lack("a T.Pipelined of so many rounds as only a core knows")
                plan.top = plan.scope
                known = self._known(index, marker, schedule, i)
                given = plan.program.open(program.Given((), facts=known))
                with _copy(marker):
                    yield index, Turn(i)
                plan.program.close(given)
                if part is not None:
                    plan.close(part)
            if scope is not None:
                plan.close(scope)
        plan.close(block)
        plan.top = None
        plan.own.clear()

    def _known(
        self, index: Any, marker: Marker, schedule: Schedule, statement: int
    ) -> tuple[Fact, ...]:
        """What the index is in a piece, as the compiler has it there."""
        stage, depth = schedule.statements[statement].stage, schedule.depth
        stop = pipeline.plain(self.stop)
        if marker is not None and marker[0] == "prologue":
            return (Fact(index - (marker[1] - stage), 0, 0),)
        if stop is None:
            return ()
        if marker is not None:
            return (Fact(index - (stop + marker[1] - stage), 0, 0),)
        return (Fact(index, depth - stage, stop - 1 - stage),)

    def _pieces(self, plan: Any, depth: int) -> Iterator[tuple[Marker, Scope | None]]:
        """The rounds of the start and the end, which the compiler writes out, and the loop between them."""
        yield from ((("prologue", t), None) for t in range(depth))
        known = pipeline.plain(self.stop)
        middle = None if known is None else known - depth
        if middle is None or middle > 0:
            node = program.Loop(self._steady, rounds=middle)
            yield None, plan.open(loop=middle != 1, rounds=middle, node=node)
        yield from ((("epilogue", t), None) for t in range(depth))

    def _runs(self, marker: Marker, stage: int) -> bool | None:
        """Whether a piece has a statement of this stage; None where only a core knows."""
        if marker is None:
            return True
        piece, t = marker
        if piece == "prologue":
            return False if stage > t else truth(self.stop > t - stage)
        return False if stage <= t else truth(self.stop >= stage - t)


def _check_cores(statements: list[Statement]) -> None:
    """Over work of both kinds of core the compiler makes another pipeline first."""
    used = {buffer.scope for one in statements for buffer in one.reads | one.writes}
    if "ub" in used and used & {"l1", "l0a", "l0b", "l0c"}:
        raise unsupported("a T.Pipelined with stages over work of the cube and of the vector cores")


@contextlib.contextmanager
def _copy(marker: Marker) -> Iterator[None]:
    copies = session().copies
    if marker is not None:
        copies.append(marker)
    try:
        yield
    finally:
        if marker is not None:
            copies.pop()


def pipelined(
    start: Any,
    stop: Any = None,
    num_stages: int = 0,
    order: Any = None,
    stage: Any = None,
    sync: Any = None,
    group: Any = None,
    cross_interval: int = 1,
) -> Loop:
    """A loop that the compiler takes apart into stages; without stages, T.serial."""
    if order or stage or sync or group or cross_interval != 1:
        raise unsupported("T.Pipelined with an order, stages, groups or an interval given by hand")
    if isinstance(num_stages, bool) or not isinstance(num_stages, int) or num_stages < 0:
        raise RefusalError(f"num_stages counts buffers, and {num_stages!r} is no such number")
    plain = _loop("T.Pipelined", start, stop, None)
    return PipelinedLoop(plain.start, plain.stop, num_stages)


def persistent(domain: Any, wave_size: Any, index: Any, group_size: Any = 8) -> Iterator[Any]:
    """The tiles of one core out of a domain, the last dimension in groups."""
    if any(not isinstance(n, int) for n in (*domain, wave_size, group_size)):
        raise unsupported("T.Persistent over a domain that only a core knows")
    last = domain[-1]
    group = min(group_size, last)
    if last % group:
        divisors = [n for n in range(1, group + 1) if last % n == 0]
        raise RefusalError(
            f"T.Persistent in groups of {group} loses tiles: {group} does not divide {last}",
            f"say group_size={divisors[-1]}",
        )
    total = 1
    for n in domain:
        total *= n
    waves = -(-total // wave_size)
    plan = session().plan
    if plan is not None:
        return _persistent_plan(plan, domain, waves, (total, wave_size, index), key("loop"))
    return _persistent(domain, group, waves, total, wave_size, whole(index), key("loop"))


def _persistent_plan(
    plan: Any, domain: Any, waves: int, tiles: tuple[int, int, Any], here: Key
) -> Iterator[Any]:
    wave = variable("loop", 0, waves - 1)
    scope = plan.open(loop=True, rounds=waves, node=program.Loop(here, rounds=waves, index=wave))
    total, size, index = tiles
    test = wave * size + index >= total
    if waves > 1 and truth(test) is None:
        end = plan.program.open(Branch(_guard(here), test))
        plan.program.statement(("break", *here[1:]), "loop_break")
        plan.program.close(end)
    try:
        yield tuple(variable("tile", 0, n - 1) for n in domain)
    finally:
        plan.close(scope)


def _guard(here: Key) -> Key:
    return ("guard", *here[1:])


def _persistent(
    domain: Any, group: int, waves: int, total: int, wave: int, index: int, here: Key
) -> Iterator[tuple[int, ...]]:
    guard = _guard(here)
    for w in range(waves):
        tile = w * wave + index
        before(guard)
        if waves > 1 and tile >= total:
            return
        behind(guard)
        inner, rest = tile % group, tile // group
        coordinates = []
        for n in reversed(domain[:-1]):
            coordinates.append(rest % n)
            rest //= n
        yield (*reversed(coordinates), rest * group + inner)


def parallel_loop(*extents: Any, coalesced_width: Any = None) -> Parallel:
    """A loop over elements."""
    del coalesced_width
    return Parallel(extents, site())
