"""The types of a kernel's parameters, and extents that only a call of the kernel knows."""

from __future__ import annotations

import operator
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
        return super().__index__() if session().core is None else self.of_call()

    __int__ = __index__

    def of_call(self) -> int:
        """What it is in the call that is recorded. Raises RefusalError."""
        if self.name not in VALUES:
            raise RefusalError(
                f"the extent {self.name} is known only at run time", "give it a value"
            )
        return VALUES[self.name]


class Computed(Extent):
    """What is computed from extents outside of the kernel. `name` says how."""

    def __init__(self, planned: Expression, name: str, compute: Callable[[], int]) -> None:
        Expression.__init__(self, planned.terms, planned.constant)
        self.name = name
        self._compute = compute

    def of_call(self) -> int:
        """As Extent has it."""
        return self._compute()


def computed(found: Any, form: str, function: Callable[..., Any], *parts: Any) -> Any:
    """`found`, or, outside of a kernel, the extent that it is: `function` of `parts`, written as `form` has it."""
    now = session()
    if now.plan is not None or now.core is not None or type(found) is not Expression:
        return found
    if not all(isinstance(part, int | Extent) for part in parts):
        return found
    names = [f"({part})" if isinstance(part, Computed) else str(part) for part in parts]
    return Computed(found, form.format(*names), lambda: int(function(*map(_number, parts))))


def _number(value: Any) -> Any:
    return value.of_call() if isinstance(value, Extent) else value


_OPERATORS: dict[str, tuple[str, Callable[..., Any]]] = {
    "add": ("{} + {}", operator.add),
    "sub": ("{} - {}", operator.sub),
    "mul": ("{} * {}", operator.mul),
    "floordiv": ("{} // {}", operator.floordiv),
    "mod": ("{} % {}", operator.mod),
    "truediv": ("{} / {}", operator.truediv),
}
_OTHERS: dict[str, tuple[str, Callable[..., Any]]] = {"neg": ("-{}", operator.neg)} | {
    name: ("", getattr(operator, name)) for name in ("lt", "le", "gt", "ge", "eq", "ne")
}


def _numeric(name: str, form: str, function: Callable[..., Any], *, turned: bool) -> Any:
    planned = getattr(Expression, name)

    def run(self: Extent, *others: Any) -> Any:
        parts = (*others, self) if turned else (self, *others)
        if session().core is None:
            return computed(planned(self, *others), form, function, *parts)
        return function(*map(_number, parts))

    return run


for _name, (_form, _function) in (_OPERATORS | _OTHERS).items():
    setattr(Extent, f"__{_name}__", _numeric(f"__{_name}__", _form, _function, turned=False))
for _name, (_form, _function) in _OPERATORS.items():
    setattr(Extent, f"__r{_name}__", _numeric(f"__r{_name}__", _form, _function, turned=True))
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
