"""T.Pipelined with stages, as it is planned and as a core runs it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from . import crossing, pipeline, program
from .buffer import Element
from .expression import truth, variable
from .implied import Fact
from .inserting import before, behind
from .loops import Loop, copy_of, counted, high_of
from .memory import Scope
from .pipeline import ALL, Given, Marker, Schedule, Statement, Turn, plain
from .places import Site, line, site
from .program import Branch, Key, Node
from .refusal import RefusalError, unsupported
from .scalar import Reading, whole
from .session import session

Made = list[tuple[int, Node]]
"""Nodes of the program, each with the number of the statement of the loop that has made it."""


class PipelinedLoop(Loop):
    """T.Pipelined: with `stages` or what is `given`, its statements run for different indices at a time."""

    def __init__(self, start: Any, stop: Any, stages: int, given: Given | None) -> None:
        super().__init__(start, stop)
        self.stages = stages
        self.given = given

    def staged(self, statements: int) -> Iterator[tuple[Any, Turn]]:
        """The index, and which statement of the body it is for."""
        now = session()
        inside = now.plan.aside if now.plan is not None else now.core.pipelined
        if (not self.stages and self.given is None) or inside:
            # The compiler takes only the outer one of two apart.
            return ((k, ALL) for k in iter(self))
        here = site()
        if now.plan is not None:
            return self._planned_stages(now.plan, statements, here)
        known = now.core.plan.schedules
        own = known.get((here, now.core.is_cube))
        return self._run_stages(now.core, own or known[here, None])

    def _run_stages(self, core: Any, schedule: Any) -> Iterator[tuple[int, Turn]]:
        core.pipelined = True
        start, stop = whole(self.start), whole(self.stop)
        loops: tuple[Key, ...] = ()
        for turn in schedule.turns(start, stop):
            now = tuple((kind, *self.key[1:]) for kind in turn.loops)
            _move(loops, now)
            loops = now
            core.turn, core.turn_printed = turn.version, turn.printed
            core.waiting = turn.statement.waiting
            with copy_of(turn.marker):
                yield turn.k, Turn(turn.statement.turn)
        _move(loops, ())
        core.pipelined, core.waiting = False, frozenset()

    def _planned_stages(self, plan: Any, count: int, here: Site) -> Iterator[tuple[Any, Turn]]:
        if self.start != 0 or isinstance(self.stop, Element | Reading):
            raise unsupported(
                "a T.Pipelined with stages that does not count from 0 to a plain number"
            )
        index = variable("loop", 0, max(0, high_of(self.stop) - 1))
        rounds = plain(self.stop)
        loop = program.Loop(self.key, rounds=rounds, index=index, name=self.name)
        aside = Scope(loop=True)
        made: Made = []
        yield from self._read(plan, count, loop, aside, made)
        plan.split = plan.split or len({turn for turn, _ in made}) != len(made)
        if self.given is None and crossing.crosses([node for _, node in made]):
            if plan.crossings:
                raise RefusalError(
                    "Cross_core_pipeline: only support one cross core pipeline body: this is the second T.Pipelined with"
                    " stages over work of both kinds of core",
                    "use T.serial for one of them",
                )
            yield from self._crossed(plan, loop, made, here, aside)
        else:
            staged = program.Staged(self.key, loop)
            plan.program.add(staged)
            for side in (None,) if not plan.combine else (True, False) if plan.sides else ():
                yield from self._pieces_of(plan, staged, side, made, here, aside)
        plan.top, plan.waiting = None, frozenset()
        plan.own.clear()

    def _read(
        self, plan: Any, count: int, loop: program.Loop, aside: Scope, made: Made
    ) -> Iterator[tuple[Any, Turn]]:
        """The statements as the kernel has them."""
        outside = plan.scope
        depth = plan.program.into(loop.body)
        for i in range(count):
            known = len(loop.body)
            plan.scope = plan.top = aside
            yield loop.index, Turn(i)
            made += [(i, node) for node in loop.body[known:]]
        plan.program.close(depth)
        plan.scope = outside

    def _crossed(
        self, plan: Any, loop: program.Loop, made: Made, here: Site, aside: Scope
    ) -> Iterator[tuple[Any, Turn]]:
        """Over work of both kinds of core: groups of rounds, in which each kind has its loop."""
        stages = crossing.Stages(pipeline.statements(made), made, loop.rounds, self.stages)
        plan.schedules[here, None] = stages
        outer = variable("loop", 0, stages.groups - 1)
        place = self.key[1:]
        node = program.Loop(("groups", *place), rounds=stages.groups, index=outer)
        node.name, node.stays = f"{self.name}_outer", True
        # Buffers lie where the loop of the kernel stood.
        block = plan.open(node=node)
        for number, part in enumerate(stages.parts):
            inner = variable("loop", 0, self.stages - 1)
            each = program.Loop((("stage", number), *place), rounds=self.stages, index=inner)
            each.name, each.stays = "i", True
            scope = plan.open(node=each)
            for statement in part:
                plan.top, plan.waiting = plan.scope, statement.waiting
                yield outer * self.stages + inner, Turn(statement.turn)
            plan.close(scope)
        plan.close(block)
        plan.crossings.append((stages, aside, block))

    def _pieces_of(
        self,
        plan: Any,
        staged: program.Staged,
        side: bool | None,
        made: Made,
        here: Site,
        aside: Scope,
    ) -> Iterator[tuple[Any, Turn]]:
        """Start, steady loop and end, of both kinds of core or of one."""
        found = pipeline.statements(made)
        left: frozenset[Key] = frozenset()
        if side is not None:
            found = plan.sides[side].statements(made, found)
            left = plan.sides[side].left_out
        staged.parts[side] = []
        if side is not None and not found:
            return
        _check_body(found, [node for _, node in made])
        schedule = plan.schedules[here, side] = Schedule(found, self.stages, self.given)
        early = [found[i].stage for i in schedule.ordered if found[i].stage < schedule.depth]
        if early != sorted(early):
            # The compiler finds the buffers in the order of the statements, before it leaves out those of the start.
            raise unsupported("T.Pipelined with an order given by hand that mixes several stages")
        depth = plan.program.into(staged.parts[side])
        block = plan.open()
        plan.pipelines.append(pipeline.Pipeline(schedule, aside, block))
        for marker, scope in self._pieces(plan, schedule.depth):
            for i in schedule.ordered:
                statement = schedule.statements[i]
                runs = self._runs(marker, statement.stage)
                if runs is False or statement.flag:
                    continue
                part = plan.open() if runs is None else None
                if part is not None:
                    plan.program.lack("a T.Pipelined of so many rounds as only a core knows")
                plan.top, plan.waiting = plan.scope, statement.waiting | left
                known = self._known(staged.loop.index, marker, schedule, i)
                given = plan.program.open(program.Given((), facts=known))
                with copy_of(marker):
                    yield staged.loop.index, Turn(statement.turn)
                plan.program.close(given)
                if part is not None:
                    plan.close(part)
            if scope is not None:
                plan.close(scope)
        plan.close(block)
        plan.program.close(depth)

    def _known(
        self, index: Any, marker: Marker, schedule: Schedule, statement: int
    ) -> tuple[Fact, ...]:
        """What the index is in a piece, as the compiler has it there."""
        stage, depth = schedule.statements[statement].stage, schedule.depth
        stop = plain(self.stop)
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
        known = plain(self.stop)
        middle = None if known is None else known - depth
        if middle is None or middle > 0:
            node = program.Loop(("steady", *self.key[1:]), rounds=middle)
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


def _move(old: Sequence[Key], new: Sequence[Key]) -> None:
    """A core leaves the loops that it was in, and gets into others."""
    same = 0
    while same < min(len(old), len(new)) and old[same] == new[same]:
        same += 1
    for key in reversed(old[same:]):
        behind(key)
    for key in new[same:]:
        before(key)


def _check_body(found: Sequence[Statement], made: Sequence[Node]) -> None:
    """Raises RefusalError where the compiler takes no pipeline of so many statements."""
    if len(made) == 1 and isinstance(made[0], Branch):
        raise unsupported("a T.Pipelined with stages around nothing but an `if`")
    if len(found) < 2:
        raise RefusalError(
            "The body of the software pipeline should be SeqStmt: a T.Pipelined with stages has several statements"
            " for a core",
            "use T.serial",
            line=line(),
        )


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
    if sync or group or cross_interval != 1 or bool(order) != bool(stage):
        raise unsupported("T.Pipelined with groups, an interval, or orders without stages")
    if isinstance(num_stages, bool) or not isinstance(num_stages, int) or num_stages < 0:
        raise RefusalError(f"num_stages counts buffers, and {num_stages!r} is no such number")
    given = Given(list(order), list(stage)) if order else None
    plain = counted("T.Pipelined", start, stop, None)
    return PipelinedLoop(plain.start, plain.stop, num_stages, given)
