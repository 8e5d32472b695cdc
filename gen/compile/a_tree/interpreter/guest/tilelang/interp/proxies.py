"""The types of a kernel's parameters, and extents that only a call of the kernel knows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .buffer import dtype_name
from .expression import Atom, Expression
from .refusal import RefusalError
from .session import session

VALUES: dict[str, int] = {}
"""Extents of the call that is recorded, by name."""


class Extent(Expression):
    """T.symbolic: an extent that is known when the kernel is called. While a core is recorded it is a number."""

    def __init__(self, name: str) -> None:
        super().__init__({Atom(("extent", name), 1, float("inf")): 1})
        self.name = name

    def __repr__(self) -> str:
        return self.name

    def __index__(self) -> int:
        return super().__index__() if session().core is None else self._number()

    __int__ = __index__

    def _number(self) -> int:
        if self.name not in VALUES:
            raise RefusalError(f"the extent {self.name} has no value")
        return VALUES[self.name]


def _numeric(name: str) -> Callable[..., Any]:
    planned = getattr(Expression, name)
    plain = getattr(int, name)

    def run(self: Extent, *others: Any) -> Any:
        if session().core is None:
            return planned(self, *others)
        numbers = [o._number() if isinstance(o, Extent) else o for o in others]
        return plain(self._number(), *numbers)

    return run


for _name in ("add", "radd", "sub", "rsub", "mul", "rmul", "floordiv", "rfloordiv", "mod", "rmod", "truediv", "rtruediv",
              "neg", "lt", "le", "gt", "ge", "eq", "ne"):  # fmt: skip
    setattr(Extent, f"__{_name}__", _numeric(f"__{_name}__"))
Extent.__hash__ = object.__hash__  # type: ignore[method-assign,assignment]


@dataclass(frozen=True)
class TensorType:
    """T.Tensor((…), dtype)."""

    shape: tuple[Any, ...]
    dtype: str


def tensor_type(shape: Any, dtype: Any = "float32", *rest: Any, **options: Any) -> TensorType:
    """What a parameter is."""
    sizes = tuple(shape) if isinstance(shape, list | tuple) else (shape,)
    dtype = dtype_name(dtype)
    for size in sizes:
        if isinstance(size, bool) or not isinstance(size, int | Expression):
            raise RefusalError(f"an extent of a tensor is an integer, not {size!r}")
        if isinstance(size, int) and size < 1:
            raise RefusalError(f"a tensor of shape {list(sizes)} has no elements")
    return TensorType(sizes, dtype)
