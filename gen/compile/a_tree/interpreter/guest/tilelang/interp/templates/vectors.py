"""Vector operations that are more than one call."""

from __future__ import annotations

from typing import Any

NAMES = {"reduce_sum": "ReduceSum", "reduce_max": "ReduceMax", "reduce_min": "ReduceMin"}
MERGED = {"reduce_sum": "add", "reduce_max": "max", "reduce_min": "min"}
ONES = 0xFFFF_FFFF_FFFF_FFFF


def reduce(
    core: Any,
    name: str,
    dst: Any,
    src: Any,
    tmp: Any,
    shape: tuple[int, int],
    dim: int,
    clear: bool,
) -> None:
    """Over the columns (`dim` -1) or the rows (0) of a tile; without `clear` merged into dst by the scalar unit."""
    pattern = "AR" if dim == -1 else "RA"
    count = shape[0] if dim == -1 else shape[1]
    if clear:
        core.emit(NAMES[name], pattern, dst, src, tmp, *shape, True)
        return
    old = [core.get(dst, i) for i in range(count)]
    core.emit(NAMES[name], pattern, dst, src, tmp, *shape, True)
    for i in range(count):
        merged = core.compute(MERGED[name], dst.dtype, core.get(dst, i), old[i])
        core.emit("SetValue", dst, i, merged)


def reduce_sum_half(core: Any, dst: Any, src: Any, mask: int, repeat: int, stride: int) -> None:
    """Sums of float16 are one instruction."""
    core.emit("WholeReduceSum", dst, src, mask, repeat, 1, 1, stride)


def fill(core: Any, dst: Any, value: Any, count: int) -> None:
    """One value in all elements."""
    core.emit("Duplicate", dst, value, count)


def broadcast(
    core: Any, dst: Any, src: Any, tmp: Any, axis: int, target: list[int], source: list[int]
) -> None:
    """Rows or columns repeated."""
    core.emit("Broadcast", len(target), axis, dst, src, tmp, *target, *source)


def clamp(core: Any, dst: Any, src: Any, tmp: Any, low: Any, high: Any, count: int) -> None:
    """First from below, then in place from above."""
    core.emit("ClampMin", dst, src, tmp, low, count)
    core.emit("ClampMax", dst, dst, tmp, high, count)


def row_expand(
    core: Any, name: str, dst: Any, src0: Any, src1: Any, tmp: Any, rows: int, stride: int
) -> None:
    """One number for each row: repeated over a block by Brcb, then taken for every block of the row."""
    if tmp is not None:
        core.emit("Brcb", tmp, src1, rows // 8, 1, 8)
        core.emit("PipeBarrier", "PIPE_V")
        src1 = tmp
    core.emit(
        name,
        dst,
        src0,
        src1,
        ONES,
        ONES if dst.dtype == "float16" else 0,
        rows,
        1,
        1,
        0,
        stride,
        stride,
        1,
    )


def transpose(core: Any, dst: Any, src: Any, rows: int, columns: int) -> None:
    """One instruction for a 16 × 16 tile of 2-byte elements, else the scalar unit."""
    if (rows, columns) == (16, 16) and dst.dtype in ("float16", "bfloat16", "int16", "uint16"):
        core.emit("Transpose", dst, src)
        return
    if (rows, columns) == (16, 16):
        for i in range(16):
            for j in range(16):
                core.emit("SetValue", dst, i * 16 + j, core.get(src, j * 16 + i))
        return
    for top in range(0, rows // 16 * 16, 16):
        for left in range(0, columns // 16 * 16, 16):
            for i in range(16):
                for j in range(16):
                    value = core.get(src, (top + i) * columns + left + j)
                    core.emit("SetValue", dst, (left + j) * rows + top + i, value)


def gather_by_index(core: Any, dst: Any, src: Any, index: Any) -> None:
    """Indices become offsets in bytes, in place."""
    offsets = index.cast("int32")
    size = {"float32": 4, "int32": 4, "uint32": 4}.get(dst.dtype, 2)
    core.emit("Muls", offsets, offsets, size, index.elements)
    core.emit("Gather", dst, src, index, 0, index.elements)
