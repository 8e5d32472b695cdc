"""What rewritten kernels call."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from types import FrameType
from typing import Any

from . import expression
from .buffer import Buffer, Element, Region
from .expression import (
    Condition,
    Expression,
    Opaque,
    constant,
    named,
    reads,
    truth,
)
from .inserting import before, behind, key, left_out
from .lanes import Node
from .launch import CoreScope, Variable
from .loops import Loop, serial
from .operation import ISSUED
from .parallel import Parallel
from .places import site
from .program import Branch, Core, Named, Repeated, Store
from .refusal import RefusalError
from .scalar import Reading
from .session import session

RunTime = Expression | Opaque | Condition | Element | Reading


class Helper:
    """Reached by rewritten code as `_kernel_`."""

    def __init__(
        self, suspects: Mapping[tuple[int, int], RefusalError], *, macro: bool = False
    ) -> None:
        self.suspects = suspects
        self.macro = macro
        self.branches: list[tuple[bool | None, Any, Any]] = []
        self.scopes: list[tuple[int, str]] = []

    def scope(self, scope: Any) -> bool:
        """Whether this core runs what stands in a T.Scope."""
        if not isinstance(scope, CoreScope):
            raise RefusalError("only T.Scope is known here")
        return scope.runs

    def range(self, *numbers: Any) -> Loop:
        """In a kernel `range` is T.serial, in a macro Python's own."""
        if self.macro:
            raise RefusalError("the compiler does not take `range` in a macro", "write T.serial")
        return serial(*numbers)

    def iterated(self, loop: Any, name: str, alone: bool = False) -> Any:
        """What a `for` of a kernel runs over; `name` is that of its index, `alone`: it is all that stands in another
        loop."""
        if isinstance(loop, Loop):
            loop.key, loop.name = key("loop"), name
            return loop
        if isinstance(loop, Parallel):
            loop.alone = alone
            return loop
        if type(loop).__name__ == "generator":
            return loop
        raise RefusalError(
            f"a kernel loops over T.serial, T.unroll or range, not over {type(loop).__name__}",
            "put the loop into a function under @T.macro, or write the rounds out",
        )

    def staged(self, loop: Any, statements: int) -> Any:
        """What a `for` over T.Pipelined runs over: the index, and which of the statements it is for."""
        return loop.staged(statements)

    def statement(self, value: Any) -> None:
        """An expression that stands alone: an operation takes effect here."""
        now = session()
        if value is ISSUED:
            now.unissued -= 1
        elif isinstance(value, RunTime):
            raise RefusalError(
                "this statement computes a number and leaves it", "assign it, or remove it"
            )
        if now.unissued:
            now.unissued = 0
            raise RefusalError(
                "this statement makes several operations, and the compiler keeps only the one that it returns",
                "put @T.macro over the function that makes them",
            )

    def bind(self, name: str, value: Any) -> Any:
        """An assignment."""
        plan = session().plan
        lanes = session().lanes
        if lanes is not None and isinstance(value, Element | Node | Opaque):
            lanes.plain = False
            return value
        if plan is None:
            value = value.number() if isinstance(value, Element) else value
            if isinstance(value, Reading):
                value.named = True
            return value
        if isinstance(value, Buffer):
            value.name = value.name or name
        elif value is ISSUED:
            session().unissued = 0
            raise RefusalError("an operation has no value", "let it stand alone")
        elif isinstance(value, Region):
            value.name = name
        elif isinstance(value, int) and not isinstance(value, bool):
            return constant(value)
        elif isinstance(value, Element | Opaque) or reads(value):
            return self._computed_once(plan, value)
        plan.program.used()
        return value

    def _computed_once(self, plan: Any, value: Any) -> Any:
        """A name for a number of which the compiler makes a variable."""
        plan.alone("a name for a number from memory")
        value = value.number() if isinstance(value, Element) else value
        number = plan.program.names
        plan.program.names += 1
        plan.open(node=Named(key("name"), loaded=plan.program.loads(), number=number))
        return named(value, number)

    def used(self, value: Any) -> Any:
        """A name is read."""
        session().plan.program.use(value)
        return value

    def left_out(self, name: str, value: Any) -> Any:
        """An assignment to a name that is never read: an element is not read for it."""
        return value if isinstance(value, Element) else self.bind(name, value)

    def bind_all(self, names: list[str], values: Any) -> Any:
        """An assignment of several."""
        parts = list(values)
        if len(parts) != len(names):
            raise RefusalError(f"{len(parts)} values for {len(names)} names")
        return [self.bind(name, value) for name, value in zip(names, parts, strict=True)]

    def kept(self, variable: Variable, value: Any) -> Any:
        """An assignment to what T.alloc_var made."""
        plan = session().plan
        value = value.number() if isinstance(value, Element) else value
        if plan is not None:
            plan.program.add(Store(key("store"), variable, plan.program.loads()))
            return expression.held(variable.dtype)
        return value

    def branch(self, test: Any) -> bool:
        """Whether the first side of an `if` can be reached."""
        known = truth(test)
        plan = session().plan
        assert plan is not None
        if session().lanes is not None and known is None:
            session().lanes.plain = False
        node = Branch(key("if"), test)
        scope = plan.open(node=node) if known is None else None
        self.branches.append((known, scope, node))
        return known is not False

    def suspect(self, line: int, column: int) -> None:
        """A side of an `if` that assigns what is read behind it."""
        raise self.suspects[line, column]

    def otherwise(self) -> bool:
        """Whether the other side can."""
        known, scope, node = self.branches[-1]
        if scope is not None:
            plan = session().plan
            assert plan is not None
            plan.program.otherwise(node, scope.depth)
        return known is not True

    def joined(self) -> None:
        """Behind both."""
        _, scope, _ = self.branches.pop()
        if scope is not None:
            plan = session().plan
            assert plan is not None
            plan.close(scope)

    def repeated(self, test: Any) -> bool:
        """The body of a `while`, once."""
        plan = session().plan
        assert plan is not None
        node = Repeated(key("while"))
        self.branches.append((truth(test), plan.open(node=node), node))
        return True

    def scoped(self, scope: Any) -> bool:
        """As `scope`, in the plan: what follows is of that kind of core, until `left`."""
        plan = session().plan
        assert plan is not None
        self.scopes.append((plan.program.open(Core(key("scope"))), plan.inside))
        runs = self.scope(scope)
        plan.inside = scope.name
        return runs

    def left(self) -> None:
        """Behind a T.Scope."""
        plan = session().plan
        assert plan is not None
        depth, plan.inside = self.scopes.pop()
        plan.program.close(depth)

    def issues(self, kind: str) -> bool:
        """Whether what stands here is for this core, and for this turn of a T.Pipelined."""
        core = session().core
        return not (core.left_out or core.waiting) or not left_out(key(kind))

    def early(self, kind: str) -> None:
        """A core gets to an operation, and has not read the numbers that it is given."""
        core = session().core
        known = key(kind)
        if known in core.inserted:
            before(known)
            core.early = known

    def before(self, kind: str) -> None:
        """A core gets to a loop, a branch or an assignment."""
        if not _quiet(kind, sys._getframe(1)):
            before(key(kind))

    def behind(self, kind: str) -> None:
        """It is through with it."""
        if not _quiet(kind, sys._getframe(1)):
            behind(key(kind))

    def both(self, *parts: Callable[[], Any]) -> Any:
        """`and`: the compiler keeps only what it can decide, and the first that it cannot."""
        value: Any = True
        for i, part in enumerate(parts):
            value = part()
            if isinstance(value, RunTime) and i + 1 < len(parts):
                raise RefusalError(
                    "the compiler drops the rest of a condition behind `and`",
                    "write T.And(a, b), or one `if` in another",
                )
            if not isinstance(value, RunTime) and not value:
                break
        return value

    def either(self, *parts: Callable[[], Any]) -> Any:
        """`or`."""
        values = [part() for part in parts]
        if any(isinstance(value, RunTime) for value in values):
            return expression.either(*values)
        return next((value for value in values if value), values[-1])

    def negation(self, value: Any) -> Any:
        """`not`."""
        return expression.negation(value) if isinstance(value, RunTime) else not value

    def chained(self, *values: Any) -> bool:
        """`a < b < c`: the compiler fails on it."""
        if any(isinstance(value, RunTime) for value in values):
            raise RefusalError(
                "the compiler does not take a comparison of three", "write T.And(a < b, b < c)"
            )
        return True

    def decided(self, value: Any) -> Any:
        """The condition of `x if c else y`."""
        if isinstance(value, RunTime):
            raise RefusalError(
                "the compiler does not take `x if c else y` of a number of a core",
                "write T.if_then_else(c, x, y)",
            )
        return value


def _quiet(kind: str, frame: FrameType) -> bool:
    """Whether nothing is ever inserted at a node that stands there. (Asked for at every assignment.)"""
    core = session().core
    here = (core.is_cube, id(frame.f_code), frame.f_lasti)
    known: bool | None = core.places.quiet.get(here)
    if known is None:
        place = site()[0]
        known = all(k[0] != kind or k[1][0] != place for k in core.inserted)
        core.places.quiet[here] = known
    return known
