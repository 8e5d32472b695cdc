"""Functions of numbers: T.min, T.ceildiv, T.And, T.if_then_else, T.cast, …"""

from __future__ import annotations

import math
from typing import Any

from . import expression
from .buffer import Element, dtype_name
from .expression import Called, CalledFloat, Condition, Expression, Opaque, atom, static, truth
from .lanes import Node
from .proxies import computed
from .refusal import RefusalError, unsupported
from .scalar import (
    FLOATS,
    Float,
    Reading,
    ScalarOperators,
    combined,
    number,
    plain,
    printed,
    rounded,
    whole,
)
from .session import session


def _planning() -> bool:
    return session().core is None


def _known(*values: Any) -> bool:
    return all(isinstance(v, int | float) for v in values)


def minimum(a: Any, b: Any) -> Any:
    """The smaller of two."""
    return _extreme(a, b, "min")


def maximum(a: Any, b: Any) -> Any:
    """The larger of two."""
    return _extreme(a, b, "max")


def _extreme(a: Any, b: Any, name: str) -> Any:
    if session().lanes is not None and any(isinstance(v, Element | Node) for v in (a, b)):
        return _of_lanes(a, b, name)
    if _known(a, b):
        return min(a, b) if name == "min" else max(a, b)
    if isinstance(a, ScalarOperators) or isinstance(b, ScalarOperators):
        if not _planning() and any(str(getattr(v, "dtype", "")) in FLOATS for v in (a, b)):
            # Of two arguments of a call the second is computed first.
            b = number(b)
            return combined(name, a, b)
        b = plain(b)
        a = plain(a)
        if _known(a, b):
            return min(a, b) if name == "min" else max(a, b)
    if not _planning():
        a, b = whole(a), whole(b)
        return int(a) if (a < b) == (name == "min") else int(b)
    found = _extreme_of_expressions(a, b, name)
    return computed(found, f"{name}({{}}, {{}})", min if name == "min" else max, a, b)


def _of_lanes(a: Any, b: Any, name: str) -> Node:
    """The larger of an element and 0 is an instruction of its own."""
    for one, other in ((a, b), (b, a)):
        if (
            name == "max"
            and isinstance(one, int | float)
            and one == 0
            and isinstance(other, Element)
        ):
            return Node("relu", other)
    return Node(name, a, b)


def function(name: str) -> Any:
    """T.exp and its like: of the elements of T.Parallel."""

    def apply(value: Any) -> Any:
        if session().lanes is None:
            if isinstance(value, Element | Reading | Opaque):
                raise RefusalError(
                    f"the scalar unit has no T.{name}: the compiler does not take it for a single number",
                    f"use T.tile.{'ln' if name == 'log' else name} on a buffer",
                )
            raise unsupported(f"T.{name} of a number")
        return Node(name, value)

    apply.__name__ = name
    return apply


def _extreme_of_expressions(a: Any, b: Any, name: str) -> Any:
    pair = [v for v in (a, b) if isinstance(v, int | Expression)]
    if len(pair) < 2:
        return Opaque("float32")
    lower = truth(a <= b)
    if lower is not None:
        return a if lower == (name == "min") else b
    ends = [(v.low, v.high) if isinstance(v, Expression) else (v, v) for v in pair]
    pick = min if name == "min" else max
    key = (name, frozenset(v.key if isinstance(v, Expression) else v for v in pair))
    return atom(key, pick(e[0] for e in ends), pick(e[1] for e in ends))


def ceildiv(a: Any, b: Any) -> Any:
    """The quotient, rounded up."""
    return (a + b - 1) // b


def floordiv(a: Any, b: Any) -> Any:
    """The quotient, rounded down."""
    return a // b


def floormod(a: Any, b: Any) -> Any:
    """The rest of floordiv."""
    return a % b


def truncdiv(a: Any, b: Any) -> Any:
    """The quotient, rounded towards 0."""
    if _known(a, b):
        return math.trunc(a / b) if a * b < 0 else a // b
    return a // b


def truncmod(a: Any, b: Any) -> Any:
    """The rest of truncdiv."""
    return a - truncdiv(a, b) * b


def logical_and(*values: Any) -> Any:
    """True where all are."""
    return (
        all(bool(plain(v)) for v in values)
        if not _planning()
        else _folded(expression.both(*values))
    )


def logical_or(*values: Any) -> Any:
    """True where one is."""
    return (
        any(bool(plain(v)) for v in values)
        if not _planning()
        else _folded(expression.either(*values))
    )


def logical_not(value: Any) -> Any:
    """True where the other is false."""
    return not plain(value) if not _planning() else _folded(expression.negation(value))


def _folded(value: Condition) -> Any:
    return value


def if_then_else(condition: Any, yes: Any, no: Any) -> Any:
    """One of two, as the condition says: a call, of which only one side is computed."""
    if session().lanes is not None and any(
        isinstance(v, Element | Node | Condition) for v in (condition, yes, no)
    ):
        raise RefusalError(
            "what the compiler emits for T.if_then_else in T.Parallel does not compile",
            "write `if` and `else` as statements, or T.tile.compare and T.tile.select",
        )
    found = select(condition, yes, no)
    if not _planning() or truth(condition) is not None:
        return found
    return Called(found.terms) if isinstance(found, Expression) else CalledFloat(found.dtype)


def select(condition: Any, yes: Any, no: Any) -> Any:
    """One of two, as the condition says."""
    if not _planning():
        return yes if plain(condition) else no
    known = truth(condition)
    if known is not None:
        return yes if known else no
    yes, no = number(yes), number(no)
    if all(isinstance(v, int | Expression) for v in (yes, no)):
        ends = [(v.low, v.high) if isinstance(v, Expression) else (v, v) for v in (yes, no)]
        return atom(("either", object()), min(e[0] for e in ends), max(e[1] for e in ends))
    return Opaque("float32")


def typed(value: Any, dtype: str) -> Any:
    """A number converted."""
    if session().lanes is not None and isinstance(value, Element | Node):
        return Node("cast", value, dtype=dtype)
    if isinstance(value, ScalarOperators):
        value = value.number()
    if isinstance(value, Opaque | Condition) or (
        isinstance(value, Expression) and static(value) is None and _planning()
    ):
        return value if isinstance(value, Expression) and dtype not in FLOATS else Opaque(dtype)
    if isinstance(value, Reading):
        if value.dtype == dtype:
            return value
        return Reading(value.core, value.core.compute("mul", dtype, value.register, 1), dtype)
    if isinstance(value, Expression):
        value = static(value) if static(value) is not None else int(value)
    if dtype in FLOATS:
        return Float(rounded(printed(value) if isinstance(value, float) else float(value)))
    return int(value)


def cast(value: Any, dtype: str, span: Any = None) -> Any:
    """A number converted: T.cast(x, "float32")."""
    del span
    return typed(value, dtype_name(dtype))


def infinity(dtype: str = "float32", span: Any = None) -> float:
    """The largest number."""
    del span
    dtype = dtype_name(dtype)
    if dtype not in ("float16", "float32"):
        raise RefusalError(
            f"Cannot decide infinity of {dtype}", "take -T.infinity of 'float16' or 'float32'"
        )
    return math.inf


def converter(dtype: str) -> Any:
    """`T.float32(x)` and its like."""

    def convert(value: Any = 0) -> Any:
        if isinstance(value, int | float):
            return float(value) if dtype in FLOATS else int(value)
        return typed(value, dtype)

    convert.__name__ = dtype
    return convert
