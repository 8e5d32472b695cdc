"""Expressions of an elementwise spec: the tree, its text, and the values of its constants."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, TypeAlias, get_args

#: One-operand operations. All three trees can do them on every chip in float32: none stands for a
#: low-precision hardware approximation (reciprocal, rsqrt) and none is missing in a tree (tanh,
#: erf).
UnaryOp = Literal["neg", "abs", "exp", "log", "sqrt", "relu", "sigmoid"]
BinaryOp = Literal["add", "sub", "mul", "div", "max", "min"]

UNARY_OPS: tuple[UnaryOp, ...] = get_args(UnaryOp)
BINARY_OPS: tuple[BinaryOp, ...] = get_args(BinaryOp)


@dataclass(frozen=True, slots=True)
class Const:
    """A number written in the expression, rounded to the compute type where it is used."""

    value: float


@dataclass(frozen=True, slots=True)
class Input:
    """One element of the input tensor of that name, converted to the compute type."""

    name: str


@dataclass(frozen=True, slots=True)
class Unary:
    """``op(x)``."""

    op: UnaryOp
    x: Expr


@dataclass(frozen=True, slots=True)
class Binary:
    """``op(x, y)``; ``sub`` is x - y and ``div`` is x / y."""

    op: BinaryOp
    x: Expr
    y: Expr


Expr: TypeAlias = Const | Input | Unary | Binary


def children(expr: Expr) -> tuple[Expr, ...]:
    """The operands, left to right."""
    match expr:
        case Unary(_, x):
            return (x,)
        case Binary(_, x, y):
            return (x, y)
        case _:
            return ()


def walk(expr: Expr) -> Iterator[Expr]:
    """Every node in the order in which a kernel computes them: operands first, left to right."""
    for child in children(expr):
        yield from walk(child)
    yield expr


def inputs(expr: Expr) -> tuple[str, ...]:
    """Names of the inputs in the order of their first use."""
    return tuple(dict.fromkeys(node.name for node in walk(expr) if isinstance(node, Input)))


_UNARY: Mapping[UnaryOp, Callable[[float], float]] = MappingProxyType(
    {
        "neg": lambda x: -x,
        "abs": abs,
        "exp": math.exp,
        "log": math.log,
        "sqrt": math.sqrt,
        "relu": lambda x: max(x, 0.0),
        "sigmoid": lambda x: (
            1 / (1 + math.exp(-x)) if x >= 0 else math.exp(x) / (1 + math.exp(x))
        ),
    }
)
_BINARY: Mapping[BinaryOp, Callable[[float, float], float]] = MappingProxyType(
    {
        "add": lambda x, y: x + y,
        "sub": lambda x, y: x - y,
        "mul": lambda x, y: x * y,
        "div": lambda x, y: x / y,
        "max": max,
        "min": min,
    }
)


def fold(expr: Expr) -> Expr:
    """The same expression with every operation on constants alone replaced by its value.

    Raises ArithmeticError or ValueError where such an operation has no finite value in float64
    (``1 / 0``, ``log(0)``).
    """
    match expr:
        case Unary(op, x):
            return evaluate(Unary(op, fold(x)))
        case Binary(op, x, y):
            return evaluate(Binary(op, fold(x), fold(y)))
        case _:
            return expr


def evaluate(expr: Expr) -> Expr:
    """An operation directly on constants replaced by its value; anything else as it is.

    Raises like :func:`fold`.
    """
    match expr:
        case Unary(op, Const(x)):
            return Const(_finite(_UNARY[op](x)))
        case Binary(op, Const(x), Const(y)):
            return Const(_finite(_BINARY[op](x, y)))
        case _:
            return expr


def _finite(value: float) -> float:
    if not math.isfinite(value):
        raise OverflowError("the value is not finite")
    return value


_SYMBOL: Mapping[BinaryOp, tuple[str, int]] = MappingProxyType(
    {"add": ("+", 1), "sub": ("-", 1), "mul": ("*", 2), "div": ("/", 2)}
)


def text(expr: Expr) -> str:
    """The expression as a spec writes it, with as few parentheses as possible."""
    return _text(expr, 0)


def _text(expr: Expr, outer: int) -> str:
    match expr:
        case Input(name):
            return name
        case Const(value):
            shown = repr(value).removesuffix(".0")
            return f"({shown})" if value < 0 else shown
        case Unary("neg", x):
            inner = f"-{_text(x, 3)}"
            return f"({inner})" if outer >= 3 else inner
        case Unary(op, x):
            return f"{op}({_text(x, 0)})"
        case Binary(op, x, y) if op in _SYMBOL:
            symbol, level = _SYMBOL[op]
            inner = f"{_text(x, level)} {symbol} {_text(y, level + 1)}"
            return f"({inner})" if level < outer else inner
        case Binary(op, x, y):
            return f"{op}({_text(x, 0)}, {_text(y, 0)})"
