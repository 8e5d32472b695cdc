"""T.Parallel: loops over elements that become vector instructions, or loops of the scalar unit where they cannot.

The plan runs the body once with variables for the lanes, to see its assignments (rows.py says what becomes of them),
and once more in loops where they are computed element by element. A core does what the plan has found.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from . import copy, program
from .buffer import Buffer
from .expression import Atom, Expression, variable
from .inserting import before, behind, inserts, key, left_out
from .lanes import LANES, Assignments
from .look import alone
from .memory import Scope
from .operation import scalar
from .places import Site
from .program import Key, base
from .refusal import RefusalError, unsupported
from .rows import (
    SCALAR,
    Given,
    Instruction,
    Place,
    Repeated,
    Row,
    converted,
    elements,
    functions,
    given,
    half_extremes,
    known_later,
    operators,
    rows_of,
)
from .scalar import rounded
from .session import session
from .sharing import half
from .templates import vectors


class Parallel:
    """One T.Parallel, where it stands."""

    def __init__(self, extents: tuple[Any, ...], here: Site) -> None:
        if len(extents) > 2:
            raise RefusalError(
                "the compiler takes T.Parallel of one or two extents", "put a serial loop around it"
            )
        if not extents or any(not isinstance(n, int) or n < 1 for n in extents):
            raise unsupported("T.Parallel over anything but constants")
        self.here = here
        self.extents = tuple(int(n) for n in extents)
        self.made = 0
        self.instructions = 0
        self.at: Key = ()
        """What the instruction that is made is called in the program."""
        self.alone = False
        """Whether it is all that stands in the loop around it."""

    def __iter__(self) -> Iterator[Any]:
        now = session()
        if now.lanes is not None:
            raise unsupported("T.Parallel inside of T.Parallel")
        if now.plan is None:
            self.extents = self._shared(now.core.plan)
            return self._run(now.core)
        if now.plan.look is not None:
            return self._look(now.plan.look)
        self.extents = self._shared(now.plan)
        return self._planned(now.plan)

    def _shared(self, plan: Any) -> tuple[int, ...]:
        """With threads=2 each core has half of the loops over the first dimension."""
        loops = plan.seen.loops if plan.seen is not None else ()
        return tuple(half(n) if (self.here, k) in loops else n for k, n in enumerate(self.extents))

    def _look(self, look: Any) -> Iterator[Any]:
        indices = [variable("loop", 0, n) for n in self.extents]
        for k, index in enumerate(indices):
            look.loops[alone(index)] = (self.here, k)
        now = session()
        now.lanes = Assignments()
        try:
            yield _given(indices)
        finally:
            now.lanes = None

    def _lanes(self) -> Iterator[Any]:
        """The body once, with variables for the lanes: its assignments stay in the session."""
        lanes = [Expression({Atom((LANES, k), 0, n - 1): 1}) for k, n in enumerate(self.extents)]
        now = session()
        now.lanes = Assignments()
        try:
            yield _given(lanes)
        finally:
            self.assignments, now.lanes = now.lanes, None

    def _planned(self, plan: Any) -> Iterator[Any]:
        outside, paused = plan.scope, plan.program.paused
        plan.scope, plan.program.paused = Scope(), True
        try:
            yield from self._lanes()
        finally:
            plan.scope, plan.program.paused = outside, paused
        self._check_loop(plan)
        if plan.kernel.threads == 2 and any(_in_gm(*pair) for pair in self.assignments):
            raise unsupported("T.Parallel on a tensor in GM with threads=2")
        made = None
        if self.assignments.plain:
            made = rows_of(self.assignments, self.extents, self._temporary)
        if made is None:
            plan.alone("T.Parallel element by element as a statement")
        if made is not None:
            plan.parallel[self.here] = [known_later(value) for _, value in self.assignments]
            self._issue(*made)
            return
        plan.parallel[self.here] = None
        _check_elements(self.assignments)
        opened = [plan.open(loop=True, rounds=n) for n in self.extents]
        plan.program.lack("T.Parallel element by element")
        yield _given([variable("loop", 0, n - 1) for n in self.extents])
        plan.close(opened[0])

    def _check_loop(self, plan: Any) -> None:
        """Around a vector of one dimension the compiler counts the rounds of the loop, too."""
        scope = plan.scope
        flat = any(len(element.buffer.shape) == 1 for element, _ in self.assignments)
        if self.alone and flat and scope.loop and scope.rounds not in (None, 1):
            raise RefusalError(
                "the compiler multiplies the lanes of this T.Parallel with the rounds of the loop around it, which holds"
                " nothing else",
                "put another statement into the loop, or use a buffer of two dimensions",
            )

    def _run(self, core: Any) -> Iterator[Any]:
        later = core.plan.parallel[self.here]
        if later is not None:
            yield from self._lanes()
            pairs = zip(self.assignments, later, strict=True)
            stores = [(element, given(value, list(marks))) for (element, value), marks in pairs]
            made = rows_of(stores, self.extents, self._temporary)
            assert made is not None
            self._issue(*made)
            return
        for lane in product(*(range(n) for n in self.extents)):
            yield _given(list(lane))

    def _temporary(self, name: str, dtype: str, shape: tuple[int, ...]) -> Buffer:
        """A buffer for a result in between; the same one for every core."""
        now = session()
        # The copies of a statement that a T.Pipelined has, share it.
        copies = [copy for copy in now.copies if copy[0] == "round"]
        key_of = (self.here, *copies, self.made)
        self.made += 1
        if now.plan is None:
            return now.core.plan.results[key_of]  # type: ignore[no-any-return]
        if now.plan.top is not None and key_of in now.plan.results:
            return now.plan.results[key_of]  # type: ignore[no-any-return]
        number = now.plan.temporaries
        now.plan.temporaries += 1
        buffer = Buffer(f"{name}_{number}_data", "ub", dtype, shape)
        now.plan.results[key_of] = buffer
        return buffer

    def _issue(self, rows: list[Row], count: int) -> None:
        now = session()
        first = self.instructions
        loop = key(("rows", first))
        if now.plan is not None:
            node = program.Loop(loop, rounds=count)
            scope = now.plan.open(loop=True, rounds=count, node=node) if count > 1 else None
            for row in rows:
                self._row(row, 0)
            if scope is not None:
                now.plan.close(scope)
            return
        inserting = inserts() and count > 1
        if inserting:
            before(loop)
        for at in range(count):
            self.instructions = first
            for row in rows:
                self._row(row, at)
        if inserting:
            behind(loop)

    def _row(self, row: Row, at: int) -> None:
        for step in row.steps:
            if isinstance(step, Instruction):
                self._instruction(step, at)
            elif isinstance(step, Repeated):
                self._repeated(step)
            else:
                self._moved(step)

    def _comes(self) -> bool:
        """Whether the next instruction is for this core, and its turn."""
        now = session()
        self.at = key(("instruction", self.instructions))
        self.instructions += 1
        if now.plan is not None:
            return base(self.at) not in now.plan.waiting
        if inserts():
            if left_out(self.at):
                return False
            before(self.at)
        return True

    def _instruction(self, step: Instruction, at: int) -> None:
        now = session()
        target, sources = step.target, step.sources
        if not self._comes():
            return
        if now.plan is not None:
            used = [step.scalar.buffer] if isinstance(step.scalar, Place) else []
            now.plan.touch(target.buffer, *(p.buffer for p in sources), *used)
            now.plan.program.statement(self.at, step.name)
            return
        core = now.core
        name, more = step.name, []
        if step.scalar is not None:
            name, more = SCALAR[step.name], [_number(core, step, at)]
        views = [core.view(p.buffer).at(p.at(at)) for p in (target, *sources)]
        core.emit(name, *views, *more, step.count)

    def _repeated(self, step: Repeated) -> None:
        now = session()
        if not self._comes():
            return
        if now.plan is not None:
            now.plan.touch(step.target, step.source, step.scratch)
            now.plan.program.statement(self.at, "broadcast")
            return
        core = now.core
        high, width = step.shape
        source = [1, width] if step.axis == 0 else [high, 1]
        to, a, tmp = (core.view(b) for b in (step.target, step.source, step.scratch))
        vectors.broadcast(core, to, a, tmp, step.axis, step.shape, source)

    def _moved(self, step: Any) -> None:
        if not self._comes():
            return
        copy.move(step.source, step.target)
        if session().plan is not None:
            session().plan.program.statement(self.at, "copy")
        elif inserts():
            behind(self.at)


def _given(indices: list[Any]) -> Any:
    return indices[0] if len(indices) == 1 else tuple(indices)


def _in_gm(element: Any, value: Any) -> bool:
    return any(e.buffer.scope == "global" for e in (element, *elements(value)))


def _number(core: Any, step: Instruction, at: int) -> Any:
    """What a vector is combined with: turned round for a difference or a quotient."""
    value = step.scalar
    if isinstance(value, Place):
        core.emit("PipeBarrier", "PIPE_ALL")
        number = core.read(value.buffer, value.at(at))
    else:
        number = scalar(value.value if isinstance(value, Given) else value)
    if step.name not in ("sub", "div"):
        return number
    if isinstance(number, int | float):
        return -number if step.name == "sub" else rounded(1.0 / number)
    left = -0.0 if step.name == "sub" else 1.0
    return core.compute(step.name, "float32", left, number)


def _check_elements(assignments: Assignments) -> None:
    """What is right element by element: numbers of one type."""
    for (element, value), line in zip(assignments, assignments.lines, strict=True):
        try:
            _check_value(element.buffer.dtype, value)
        except RefusalError as error:
            error.line = error.line or line
            raise


def _check_value(dtype: str, value: Any) -> None:
    kinds = {e.dtype for e in elements(value)} | {dtype} | converted(value)
    unknown = kinds & {"int64", "uint64"}
    if "uint32" in kinds and kinds != {"uint32"}:
        unknown.add("uint32")
    if unknown:
        raise unsupported(f"T.Parallel element by element on {', '.join(sorted(unknown))}")
    if "bits" in operators(value) and not kinds <= {"int32", "int16"}:
        raise unsupported(
            f"operators on bits of {', '.join(sorted(kinds))} in T.Parallel element by element"
        )
    if half_extremes(value):
        raise RefusalError(
            "the compiler computes this T.Parallel element by element, and C++ has no max and min of 16-bit floats",
            "T.cast the elements to float32 first",
        )
    for name in functions(value):
        raise RefusalError(
            f"the compiler computes this T.Parallel element by element, and the scalar unit has no T.{name}",
            "make T."
            + name
            + " of an element an assignment of its own, and the number the right operand",
        )
