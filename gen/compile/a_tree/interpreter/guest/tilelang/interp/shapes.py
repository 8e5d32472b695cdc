"""Operations that move elements: broadcast, gather, transpose."""

from __future__ import annotations

from typing import Any

from .operand import operand
from .operation import operation, scalar
from .refusal import RefusalError
from .session import session
from .templates import sorts, vectors
from .tile_checks import check_words

BROADCAST = ("float32", "float16", "int8", "uint8")


@operation
def broadcast(dst: Any, src: Any, axis: int | None = None) -> None:
    """Rows (axis 0) or columns (axis 1) repeated."""
    to, a = operand(dst, "T.tile.broadcast"), operand(src, "T.tile.broadcast")
    target, source, along = _broadcast(to.shape[-2:], a.shape[-2:], axis)
    now = session()
    if now.plan is not None:
        if a.dtype not in BROADCAST or to.dtype != a.dtype:
            raise RefusalError(
                f"T.tile.broadcast takes {', '.join(BROADCAST)} to the same type, not {a.dtype} to {to.dtype}",
                "T.tile.cast to float32 first",
            )
        if along == 0 and len(target) == 2 and target[1] * to.buffer.size % 32:
            raise RefusalError(
                f"T.tile.broadcast repeats rows of whole blocks of 32 bytes, and these have"
                f" {target[1] * to.buffer.size}"
            )
        now.plan.touch(to.buffer, a.buffer, now.plan.need(to.size * to.buffer.size // 4))
        return
    tmp = now.core.view(now.core.plan.scratch)
    vectors.broadcast(now.core, to.view, a.view, tmp, along, target, source)


def _broadcast(
    target: list[int], source: list[int], axis: int | None
) -> tuple[list[int], list[int], int]:
    """Both shapes with equally many dimensions, and the axis. Raises RefusalError where they do not fit."""
    target, source = list(target), list(source)
    mismatch = RefusalError(
        f"{source} cannot be broadcast to {target}"
        + (f" along axis {axis}" if axis is not None else ""),
        "the source has one row, or one column, and as many of the other as the destination",
    )
    if len(source) == 1 and len(target) == 2:
        if axis == 0 or (axis is None and target[1] == source[0]):
            source, axis = [1, source[0]], 0
        elif axis == 1 or (axis is None and target[0] == source[0]):
            source, axis = [source[0], 1], 1
        else:
            raise mismatch
    if len(source) != len(target):
        raise mismatch
    if len(target) == 1:
        if axis not in (None, 0) or (source[0] != 1 and source != target):
            raise mismatch
        return target, source, 0
    if axis is None:
        axis = (
            1
            if source[1] == 1 and target[1] != 1 and not (source[0] == 1 and target[0] != 1)
            else 0
        )
    if axis not in (0, 1):
        raise mismatch
    fits = source[1 - axis] == target[1 - axis] if source[axis] == 1 else source == target
    if not fits:
        raise mismatch
    return target, source, axis


@operation
def gather(dst: Any, src: Any, src_offset: Any, src_base_addr: Any) -> None:
    """Elements at offsets in bytes."""
    to, a, offsets = (operand(x, "T.tile.gather") for x in (dst, src, src_offset))
    now = session()
    if now.plan is not None:
        check_words("offsets of T.tile.gather", offsets)
        now.plan.touch(to.buffer, a.buffer, offsets.buffer)
        return
    count = min(to.size, offsets.size)
    now.core.emit("Gather", to.view, a.view, offsets.view, scalar(src_base_addr), count)


PATTERNS = {"P0101": 1, "P1010": 2, "P0001": 3, "P0010": 4, "P0100": 5, "P1000": 6, "P1111": 7}


@operation
def gather_mask(dst: Any, src: Any, src1Pattern: Any) -> None:  # noqa: N803
    """Elements by a pattern, or by their indices."""
    to, a = operand(dst, "T.tile.gather_mask"), operand(src, "T.tile.gather_mask")
    now = session()
    if isinstance(src1Pattern, str):
        if now.plan is not None:
            if src1Pattern not in PATTERNS:
                raise RefusalError(f"{src1Pattern!r} is no pattern: {', '.join(PATTERNS)}")
            now.plan.touch(to.buffer, a.buffer)
            return
        sorts.gather_mask(now.core, to.view, a.view, PATTERNS[src1Pattern], a.buffer.size)
        return
    index = operand(src1Pattern, "T.tile.gather_mask")
    if now.plan is not None:
        check_words("indices of T.tile.gather_mask", index)
        now.plan.touch(to.buffer, a.buffer, index.buffer)
        return
    vectors.gather_by_index(now.core, to.view, a.view, index.view)


@operation
def transpose(dst: Any, src: Any) -> None:
    """The transpose of a tile."""
    to, a = operand(dst, "T.tile.transpose"), operand(src, "T.tile.transpose")
    rows, columns = (a.buffer.shape[0], a.buffer.shape[1]) if len(a.buffer.shape) > 1 else (16, 16)
    now = session()
    if now.plan is not None:
        if to.dtype != a.dtype:
            raise RefusalError(f"T.tile.transpose takes one type, not {a.dtype} and {to.dtype}")
        if rows % 16 or columns % 16:
            raise RefusalError(
                f"T.tile.transpose moves squares of 16 × 16, and {a.buffer.name} is {rows} × {columns}: the rest is"
                " left out"
            )
        now.plan.touch(to.buffer, a.buffer)
        return
    vectors.transpose(now.core, to.view, a.view, rows, columns)
