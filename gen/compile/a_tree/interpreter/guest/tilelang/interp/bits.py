"""The operators on the bits of integers."""

from __future__ import annotations

import operator
from typing import Any

PLAIN = {
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
    "<<": operator.lshift,
    ">>": operator.rshift,
}


class BitOperators:
    """Operators of what stands for a number of a core: `bits` computes."""

    def bits(self, name: str, left: Any, right: Any) -> Any:
        """The result of an operator of PLAIN."""
        raise NotImplementedError

    def __invert__(self) -> Any:
        return self.bits("^", self, -1)

    def __and__(self, other: Any) -> Any:
        return self.bits("&", self, other)

    def __rand__(self, other: Any) -> Any:
        return self.bits("&", other, self)

    def __or__(self, other: Any) -> Any:
        return self.bits("|", self, other)

    def __ror__(self, other: Any) -> Any:
        return self.bits("|", other, self)

    def __xor__(self, other: Any) -> Any:
        return self.bits("^", self, other)

    def __rxor__(self, other: Any) -> Any:
        return self.bits("^", other, self)

    def __lshift__(self, other: Any) -> Any:
        return self.bits("<<", self, other)

    def __rlshift__(self, other: Any) -> Any:
        return self.bits("<<", other, self)

    def __rshift__(self, other: Any) -> Any:
        return self.bits(">>", self, other)

    def __rrshift__(self, other: Any) -> Any:
        return self.bits(">>", other, self)
