"""What T.Parallel computes, before it is computed."""

from __future__ import annotations

from typing import Any

from .refusal import unsupported

LANES = "lane"
"""First part of the key of a variable of a parallel loop."""


class Node:
    """An operation on the elements of all lanes."""

    def __init__(self, name: str, *parts: Any) -> None:
        self.name = name
        self.parts = parts

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

    def __neg__(self) -> Node:
        return Node("sub", 0, self)

    def _compared(self, _: Any) -> Any:
        raise unsupported("a comparison in T.Parallel")

    __lt__ = __le__ = __gt__ = __ge__ = _compared
