"""Functions of tiles, most with scratch space that the compiler adds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .operand import operand
from .operation import Issued, count, operation, scalar
from .session import session
from .templates import vectors
from .tile_checks import FLOATING, apart, same_size, typed


@operation
def sigmoid(dst: Any, src: Any) -> None:
    """dst = 1 / (1 + exp(-src))."""
    _scratch("sigmoid", "Sigmoid", dst, src, 1, True)


@operation
def sin(dst: Any, src: Any) -> None:
    """dst = sin(src)."""
    _scratch("sin", "Sin", dst, src, 2, False)


@operation
def cos(dst: Any, src: Any) -> None:
    """dst = cos(src)."""
    _scratch("cos", "Cos", dst, src, 2, False)


def _scratch(name: str, call: str, dst: Any, src: Any, factor: int, of_part: bool) -> None:
    """With scratch space of `factor` times the source: of the part that is used, or of the whole buffer."""
    to, a = operand(dst, f"T.tile.{name}"), operand(src, f"T.tile.{name}")
    now = session()
    if now.plan is not None:
        same_size(name, to, a)
        typed(name, FLOATING, to, a)
        apart(name, to, a)
        elements = a.size if of_part else a.buffer.elements
        tmp = now.plan.need(elements * a.buffer.size * factor)
        now.plan.touch(to.buffer, a.buffer, tmp)
        return
    now.core.emit(call, to.view, a.view, now.core.view(now.core.plan.scratch), to.size)


@operation
def silu(dst: Any, src: Any) -> None:
    """dst = src / (1 + exp(-src))."""
    to, a = operand(dst, "T.tile.silu"), operand(src, "T.tile.silu")
    now = session()
    if now.plan is not None:
        same_size("silu", to, a)
        typed("silu", FLOATING, to, a)
        apart("silu", to, a)
        now.plan.touch(to.buffer, a.buffer)
        return
    now.core.emit("Silu", to.view, a.view, to.size)


@operation
def pow(dst: Any, src0: Any, src1: Any) -> None:
    """dst = src0 to the power of src1."""
    to, a, b = (operand(x, "T.tile.pow") for x in (dst, src0, src1))
    now = session()
    if now.plan is not None:
        typed("pow", (*FLOATING, "int32"), to, a, b)
        apart("pow", to, a, b)
        tmp = now.plan.need(a.buffer.elements * a.buffer.size * 2)
        now.plan.touch(to.buffer, a.buffer, b.buffer, tmp)
        return
    now.core.emit("Power", to.view, a.view, b.view, now.core.view(now.core.plan.scratch))


@operation
def round(out: Any, buffer: Any, count: Any) -> None:
    """To the nearest integer, ties to even."""
    to, a = operand(out, "T.tile.round"), operand(buffer, "T.tile.round")
    now = session()
    if now.plan is not None:
        typed("round", FLOATING, to, a)
        tmp = now.plan.need(builtin_max(256, to.size * to.buffer.size))
        now.plan.touch(to.buffer, a.buffer, tmp)
        return
    now.core.emit("Round", to.view, a.view, now.core.view(now.core.plan.scratch), _count(count))


def builtin_max(a: int, b: int) -> int:
    """The name is taken."""
    return a if a > b else b


def _count(value: Any) -> Any:
    return count(value, "the last argument")


def _clamped(name: str) -> Callable[..., Issued]:
    def run(out: Any, buffer: Any, scalar_value: Any, count: Any) -> None:
        to, a = operand(out, f"T.tile.{name}"), operand(buffer, f"T.tile.{name}")
        now = session()
        if now.plan is not None:
            typed(name, FLOATING, to, a)
            apart(name, to, a)
            now.plan.touch(to.buffer, a.buffer, now.plan.need(a.size * a.buffer.size))
            return
        tmp = now.core.view(now.core.plan.scratch)
        call = "ClampMax" if name == "clamp_max" else "ClampMin"
        now.core.emit(call, to.view, a.view, tmp, scalar(scalar_value), _count(count))

    run.__name__ = name
    return operation(run)


clamp_max = _clamped("clamp_max")
clamp_min = _clamped("clamp_min")


@operation
def clamp(out: Any, buffer: Any, min_scalar: Any, max_scalar: Any, count: Any) -> None:
    """Between two numbers."""
    to, a = operand(out, "T.tile.clamp"), operand(buffer, "T.tile.clamp")
    now = session()
    if now.plan is not None:
        typed("clamp", FLOATING, to, a)
        apart("clamp", to, a)
        now.plan.touch(to.buffer, a.buffer, now.plan.need(a.size * a.buffer.size))
        return
    tmp = now.core.view(now.core.plan.scratch)
    low, high = scalar(min_scalar), scalar(max_scalar)
    vectors.clamp(now.core, to.view, a.view, tmp, low, high, _count(count))
