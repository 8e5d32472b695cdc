"""T.Parallel: loops over elements that become vector instructions.

What the compiler does with `b[i, j] = a[i, j] * 2.0 + 1.0` over a whole tile: every operation is one instruction on all
elements, with a buffer of its own for each result in between. Of what else it knows (broadcast rows, copies from GM,
rows one by one) nothing is here, and it is refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Any

from .buffer import Buffer, Element
from .expression import Atom, Expression
from .inserting import before, inserts, key
from .lanes import LANES, Node
from .operation import scalar
from .refusal import unsupported
from .scalar import rounded
from .session import session

VECTOR = {"add": "Add", "sub": "Sub", "mul": "Mul", "div": "Div", "max": "Max", "min": "Min"}
SCALAR = {"add": "Adds", "sub": "Adds", "mul": "Muls", "div": "Muls"}
UNARY = {"exp": "Exp", "log": "Ln", "sqrt": "Sqrt", "rsqrt": "Rsqrt", "abs": "Abs", "relu": "Relu"}

Place = tuple[Buffer, Any]
"""A buffer and where the elements start in it."""


def loop(*extents: Any) -> Iterator[Any]:
    """The body of a parallel loop, once."""
    if not 1 <= len(extents) <= 2 or any(not isinstance(n, int) for n in extents):
        raise unsupported("T.Parallel over anything but one or two constants")
    now = session()
    if now.lanes is not None:
        raise unsupported("T.Parallel inside of T.Parallel")
    lanes = [Expression({Atom((LANES, k), 0, n - 1): 1}) for k, n in enumerate(extents)]
    now.lanes = []
    try:
        yield lanes[0] if len(lanes) == 1 else tuple(lanes)
        stores, now.lanes = now.lanes, None
        for element, value in stores:
            Statement(element, value, extents).run()
    finally:
        now.lanes = None


class Statement:
    """One assignment of a parallel loop."""

    def __init__(self, element: Element, value: Any, extents: tuple[int, ...]) -> None:
        self.extents = extents
        self.count = prod(extents)
        self.target = self._place(element)
        self.value = value
        self.made = 0
        self.instructions = 0

    def run(self) -> None:
        """Its instructions."""
        if not isinstance(self.value, Node):
            raise unsupported(
                "T.Parallel that copies or fills: only operations on elements in UB are"
            )
        self._compute(self.value, self.target)

    def _place(self, element: Element) -> Place:
        """Where the elements of all lanes lie: one run in UB."""
        buffer = element.buffer
        if buffer.scope != "ub":
            raise unsupported("T.Parallel on anything but buffers in UB")
        offset, steps = _split(element.offset)
        wanted = [prod(self.extents[k + 1 :]) for k in range(len(self.extents))]
        if steps != {k: n for k, n in enumerate(wanted) if self.extents[k] > 1 or k in steps}:
            raise unsupported(
                f"T.Parallel over a part of {buffer.name} whose elements do not follow each other"
            )
        return buffer, offset

    def _compute(self, node: Node, target: Place) -> None:
        if len(node.parts) == 1:
            (part,) = node.parts
            if not isinstance(part, Element):
                raise unsupported(f"{node.name} of a result in T.Parallel")
            self._issue(UNARY[node.name], target, self._place(part))
            return
        left, right = node.parts
        first = self._operand(left)
        if isinstance(right, Node):
            self._issue(VECTOR[node.name], target, first, self._operand(right))
        elif isinstance(right, Element) and _split(right.offset)[1]:
            self._issue(VECTOR[node.name], target, first, self._place(right))
        elif node.name in SCALAR:
            self._with_scalar(node.name, target, first, right)
        else:
            raise unsupported(f"{node.name} with a number in T.Parallel")

    def _operand(self, part: Any) -> Place:
        """A buffer as it is, or what is computed first."""
        if isinstance(part, Element) and _split(part.offset)[1]:
            return self._place(part)
        if not isinstance(part, Node):
            raise unsupported(
                "T.Parallel with a number on the left, which the compiler computes element by element"
            )
        place = (self._temporary(), 0)
        self._compute(part, place)
        return place

    def _temporary(self) -> Buffer:
        """A buffer for a result in between; the same one for every core."""
        now = session()
        like = self.target[0]
        name = f"result {self.made}"
        self.made += 1
        if now.plan is None:
            return now.core.known(name)  # type: ignore[no-any-return]
        shape = (
            (self.count,)
            if len(like.shape) == 1
            else (self.count // self.extents[-1], self.extents[-1])
        )
        number = now.plan.temporaries
        now.plan.temporaries += 1
        buffer = Buffer(f"{like.name}_tmp_{number}_data", "ub", like.dtype, shape)
        now.plan.note(name, buffer)
        return buffer

    def _issued(self, name: str) -> None:
        """One more instruction."""
        here = (*key("instruction"), self.target[0], self.instructions)
        self.instructions += 1
        if session().plan is not None:
            session().plan.program.statement(here, name)
        elif inserts():
            before(here)

    def _issue(self, call: str, target: Place, *sources: Place) -> None:
        now = session()
        if now.plan is not None:
            now.plan.touch(target[0], *(buffer for buffer, _ in sources))
            self._issued(call)
            return
        self._issued(call)
        views = [now.core.view(buffer).at(offset) for buffer, offset in (target, *sources)]
        now.core.emit(call, *views, self.count)

    def _with_scalar(self, name: str, target: Place, source: Place, value: Any) -> None:
        now = session()
        if now.plan is not None:
            used = [value.buffer] if isinstance(value, Element) else []
            now.plan.touch(target[0], source[0], *used)
            self._issued(name)
            return
        self._issued(name)
        core = now.core
        if isinstance(value, Element):
            core.emit("PipeBarrier", "PIPE_ALL")
            number = core.read(value.buffer, value.offset)
        else:
            number = scalar(value)
        if name == "sub":
            number = (
                -number
                if isinstance(number, int | float)
                else core.compute("sub", "float32", 0.0, number)
            )
        elif name == "div":
            whole = isinstance(number, int | float)
            number = rounded(1.0 / number) if whole else core.compute("div", "float32", 1.0, number)
        views = [core.view(buffer).at(offset) for buffer, offset in (target, source)]
        core.emit(SCALAR[name], *views, number, self.count)


def _split(offset: Any) -> tuple[Any, dict[int, int]]:
    """An offset in the first lane, and the steps from lane to lane."""
    if not isinstance(offset, Expression):
        return offset, {}
    steps: dict[int, int] = {}
    rest: dict[Atom, int] = {}
    for atom, factor in offset.terms.items():
        key = atom.key
        if isinstance(key, tuple) and key[0] is LANES:
            steps[key[1]] = factor
        elif _mentions(key):
            raise unsupported("an index of T.Parallel that is no sum")
        else:
            rest[atom] = factor
    first = Expression(rest, offset.constant) if rest else offset.constant
    return first, steps


def _mentions(key: Any) -> bool:
    """Whether lanes stand somewhere in it."""
    if isinstance(key, Atom):
        return _mentions(key.key)
    if isinstance(key, tuple | frozenset):
        return any(k is LANES or _mentions(k) for k in key)
    return key is LANES
