"""Operations that convert a tile, or make one out of nothing."""

from __future__ import annotations

from typing import Any

from .operand import operand
from .operation import Issued, count, operation, scalar
from .refusal import RefusalError
from .session import session
from .templates import vectors
from .tile_checks import converted, typed

MODES = ("NONE", "RINT", "FLOOR", "CEIL", "ROUND", "TRUNC", "ODD")


@operation
def cast(dst: Any, src: Any, mode: str, count: Any) -> None:
    """To the type of the destination. `mode`: CAST_NONE to wider types, CAST_RINT to narrower ones, …"""
    to, a = operand(dst, "T.tile.cast"), operand(src, "T.tile.cast")
    number = _count(count)
    now = session()
    if now.plan is not None:
        if mode not in {f"CAST_{m}" for m in MODES}:
            raise RefusalError(f"{mode!r} is no mode: CAST_{', CAST_'.join(MODES)}")
        converted(to.dtype, a.dtype)
        now.plan.touch(to.buffer, a.buffer)
        return
    now.core.emit("Cast", to.view, a.view, mode, number)


@operation
def fill(buffer: Any, value: Any) -> None:
    """One value in all elements."""
    to = operand(buffer, "T.tile.fill")
    now = session()
    if now.plan is not None:
        typed("fill", ("int16", "uint16", "float16", "bfloat16", "int32", "uint32", "float32"), to)
        now.plan.touch(to.buffer)
        scalar(value)
        return
    vectors.fill(now.core, to.view, scalar(value), to.size)


def clear(buffer: Any) -> Issued:
    """Zeros."""
    return fill(buffer, 0)


@operation
def createvecindex(dst: Any, firstValue: Any) -> None:  # noqa: N803
    """first, first + 1, …"""
    to = operand(dst, "T.tile.createvecindex")
    now = session()
    if now.plan is not None:
        now.plan.touch(to.buffer)
        return
    now.core.emit("CreateVecIndex", to.view, scalar(firstValue), to.size)


@operation
def arith_progression(buffer: Any, first_value: Any, diff_value: Any, count: Any) -> None:
    """first, first + step, …"""
    to = operand(buffer, "T.tile.arith_progression")
    now = session()
    if now.plan is not None:
        now.plan.touch(to.buffer)
        return
    now.core.emit(
        "ArithProgression", to.view, scalar(first_value), scalar(diff_value), _count(count)
    )


def _count(value: Any) -> Any:
    return count(value, "the last argument")
