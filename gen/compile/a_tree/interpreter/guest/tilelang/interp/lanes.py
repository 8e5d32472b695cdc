"""What T.Parallel computes, before it is computed."""

from __future__ import annotations

from typing import Any

from .bits import BitOperators
from .expression import Condition
from .session import session

LANES = "lane"
"""First part of the key of a variable of a parallel loop."""


class Assignments(list[tuple[Any, Any]]):
    """Those of a body, element and value. `plain`: it has nothing else."""

    plain = True

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[int] = []
        """Of each, while the kernel is planned."""


class Node(BitOperators):
    """An operation on the elements of all lanes."""

    def __init__(self, name: str, *parts: Any, dtype: str = "") -> None:
        self.name = name
        self.parts = parts
        self.dtype = dtype
        """What it converts to, if it does."""

    def __add__(self, other: Any) -> Node:
        return Node("add", self, other)

    def __radd__(self, other: Any) -> Node:
        return Node("add", other, self)

    def __sub__(self, other: Any) -> Node:
        return Node("sub", self, other)

    def __rsub__(self, other: Any) -> Node:
        return Node("sub", other, self)

    def __mul__(self, other: Any) -> Node:
        return Node("mul", self, other)

    def __rmul__(self, other: Any) -> Node:
        return Node("mul", other, self)

    def __truediv__(self, other: Any) -> Node:
        return Node("div", self, other)

    def __rtruediv__(self, other: Any) -> Node:
        return Node("div", other, self)

    def __floordiv__(self, other: Any) -> Node:
        return Node("quotient", self, other)

    def __rfloordiv__(self, other: Any) -> Node:
        return Node("quotient", other, self)

    def __mod__(self, other: Any) -> Node:
        return Node("rest", self, other)

    def __rmod__(self, other: Any) -> Node:
        return Node("rest", other, self)

    def bits(self, name: str, left: Any, right: Any) -> Node:
        """As BitOperators has it."""
        del name
        return Node("bits", left, right)

    def __neg__(self) -> Node:
        return Node("sub", 0, self)

    def _compared(self, _: Any) -> Condition:
        session().lanes.plain = False
        return Condition(None)

    __lt__ = __le__ = __gt__ = __ge__ = _compared
