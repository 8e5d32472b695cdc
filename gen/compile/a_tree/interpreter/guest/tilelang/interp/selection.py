"""T.tile.compare and T.tile.select."""

from __future__ import annotations

from typing import Any

from .buffer import Buffer, Element
from .operand import Operand, operand
from .operation import is_number, operation, scalar
from .refusal import RefusalError
from .session import session
from .tile_checks import no_call

MODES = ("EQ", "NE", "GT", "GE", "LT", "LE")
SELECTIONS = ("VSEL_CMPMASK_SPR", "VSEL_TENSOR_SCALAR_MODE", "VSEL_TENSOR_TENSOR_MODE")


@operation
def compare(dst: Any, src0: Any, src1: Any, mode: str) -> None:
    """One bit for each element."""
    to, a = operand(dst, "T.tile.compare"), operand(src0, "T.tile.compare")
    now = session()
    if now.plan is not None:
        _check_compare(to, a, src1, mode)
    if not is_number(src1):
        b = operand(src1, "T.tile.compare")
        if now.plan is not None:
            if b.dtype != a.dtype or b.size < a.size:
                raise RefusalError(
                    f"T.tile.compare takes two of a kind, and {b.buffer.name} is {b.dtype} {b.shape}"
                )
            now.plan.touch(to.buffer, a.buffer, b.buffer)
            return
        now.core.emit("Compare", to.view, a.view, b.view, mode, a.size)
        return
    if now.plan is not None:
        now.plan.touch(to.buffer, a.buffer, *([src1.buffer] if isinstance(src1, Element) else []))
        return
    core = now.core
    if isinstance(src1, Element):
        core.emit("PipeBarrier", "PIPE_ALL")
        number = core.read(src1.buffer, src1.index[0])
    else:
        number = scalar(src1)
    core.emit("CompareScalar", to.view, a.view, number, mode, a.size)


def _check_compare(to: Operand, a: Operand, src1: Any, mode: str) -> None:
    if mode not in MODES:
        raise RefusalError(f"{mode!r} is no comparison: {', '.join(MODES)}")
    if isinstance(src1, int) and not isinstance(src1, bool):
        raise RefusalError("T.tile.compare takes no integer constant", f"write {float(src1)}")
    no_call(src1)
    if a.dtype not in ("float32", "float16") and not (a.dtype == "int32" and mode == "EQ"):
        raise RefusalError(f"T.tile.compare takes float32 or float16 (int32 for EQ), not {a.dtype}")
    if a.size * a.buffer.size % 256:
        raise RefusalError(
            f"T.tile.compare works on multiples of 256 bytes, and {a.size} elements are {a.size * a.buffer.size}",
            "compare multiples of 256 bytes",
        )
    if to.dtype not in ("uint8", "int8"):
        raise RefusalError(
            f"the bits of T.tile.compare go to uint8, and {to.buffer.name} is {to.dtype}"
        )


@operation
def select(dst: Any, selMask: Any, src0: Any, src1: Any, selMode: str) -> None:  # noqa: N803
    """Elements of the first source where a bit is set, of the second where it is not."""
    to, bits, a = (operand(x, "T.tile.select") for x in (dst, selMask, src0))
    now = session()
    if now.plan is not None:
        if selMode not in SELECTIONS:
            raise RefusalError(f"{selMode!r} is no mode: {', '.join(SELECTIONS)}")
        if not isinstance(selMask, Buffer):
            raise RefusalError(
                f"T.tile.select takes a whole buffer of bits, not a part of {bits.buffer.name}",
                "keep the bits in a buffer of their own",
            )
        if to.shape != a.shape:
            raise RefusalError(
                f"destination and source of T.tile.select differ: {to.shape} and {a.shape}"
            )
        if isinstance(src1, Element) or (isinstance(src1, int) and not isinstance(src1, bool)):
            raise RefusalError("T.tile.select takes a buffer or a float as its second source")
        if is_number(src1) != (selMode == "VSEL_TENSOR_SCALAR_MODE"):
            raise RefusalError("VSEL_TENSOR_SCALAR_MODE takes a number, the other modes a buffer")
    if is_number(src1):
        if now.plan is not None:
            now.plan.touch(to.buffer, bits.buffer, a.buffer)
            return
        now.core.emit("Select", to.view, bits.view, a.view, scalar(src1), selMode, a.size)
        return
    b = operand(src1, "T.tile.select")
    if now.plan is not None:
        now.plan.touch(to.buffer, bits.buffer, a.buffer, b.buffer)
        return
    now.core.emit("Select", to.view, bits.view, a.view, b.view, selMode, a.size)
