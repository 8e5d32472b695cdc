"""Copies between GM, UB and L1, and results of the Cube to GM. Sizes count elements."""

from __future__ import annotations

from typing import Any

BYTES = {
    "float32": 4,
    "int32": 4,
    "uint32": 4,
    "float16": 2,
    "bfloat16": 2,
    "int16": 2,
    "uint16": 2,
}
BYTES |= {"int8": 1, "uint8": 1, "int64": 8, "uint64": 8}
DUPLICATED = ("int16", "uint16", "float16", "bfloat16", "int32", "uint32", "float32")
"""Types that `Duplicate` takes; tiles of others are not filled in front of a partial copy."""
STRIDE_LIMIT = 65536
"""Rows of GM that are farther apart are copied one by one: `srcDValue` has 16 bits."""
BLOCK = 32
_U32 = 0xFFFF_FFFF


def copy_gm_to_ub(
    core: Any, dst: Any, src: Any, columns: int, rows: int, pitch: int, m: int, n: int, pad: Any
) -> None:
    """`m` rows of `n` elements, `pitch` apart in GM, into a tile of rows × columns."""
    size = BYTES[dst.dtype]
    padded = n != columns and n * size % BLOCK != 0
    if (m != rows or n != columns) and dst.dtype in DUPLICATED:
        for event in ("MTE2_V", "MTE3_V"):
            core.emit("SetFlag", event, 0)
            core.emit("WaitFlag", event, 0)
        core.emit("Duplicate", dst, pad, rows * columns)
        core.emit("SetFlag", "V_MTE2", 0)
        core.emit("WaitFlag", "V_MTE2", 0)
    gap = (columns - n) * size // BLOCK
    runs = (m, n * size, (pitch - n) * size & _U32, gap & _U32, 0)
    core.emit("DataCopyPad", dst, src, *runs, padded, 0, int(padded), pad)


def copy_ub_to_gm(core: Any, dst: Any, src: Any, columns: int, pitch: int, m: int, n: int) -> None:
    """`m` rows of `n` elements out of a tile with rows of `columns`, `pitch` apart in GM."""
    size = BYTES[dst.dtype]
    gap = (columns - n) * size // BLOCK
    runs = (m, n * size, gap & _U32, (pitch - n) * size & _U32, 0)
    core.emit("DataCopyPad", dst, src, *runs)


def atomic_add_ub_to_gm(
    core: Any, dst: Any, src: Any, columns: int, pitch: int, m: int, n: int
) -> None:
    """As copy_ub_to_gm, added to what is there."""
    core.emit("SetAtomicAdd", dst.dtype)
    copy_ub_to_gm(core, dst, src, columns, pitch, m, n)
    core.emit("SetAtomicNone")


def copy_ub_to_ub(
    core: Any,
    dst: Any,
    src: Any,
    length: int,
    source: tuple[int, int, int],
    target: tuple[int, int, int],
) -> None:
    """`length` elements; source and target are (rows, columns, elements between rows)."""
    if source[1] == source[2] and target[1] == target[2]:
        _move(core, dst, src, length)
        return
    for row in range(source[0]):
        _move(core, dst.at(row * target[2]), src.at(row * source[2]), source[1])


WIDENING = {
    ("float32", "float16"),
    ("float32", "bfloat16"),
    ("float32", "int16"),
    ("float16", "int8"),
    ("int16", "int32"),
}
"""Pairs of target and source that are converted without rounding."""


def _move(core: Any, dst: Any, src: Any, count: int) -> None:
    if dst.dtype == src.dtype:
        core.emit("DataCopy", dst, src, count)
    else:
        exact = (dst.dtype, src.dtype) in WIDENING
        core.emit("Cast", dst, src, "CAST_NONE" if exact else "CAST_RINT", count)


def copy_gm_to_l1(
    core: Any, dst: Any, src: Any, rows: int, columns: int, pitch: int, m: int, n: int, clear: bool
) -> None:
    """`m` rows of `n` elements into an NZ tile of rows × columns; 0 of either means all."""
    m, n = m or rows, n or columns
    size = BYTES[dst.dtype]
    unit = BLOCK // size
    if clear and (m, n) != (rows, columns):
        core.emit("InitConstValue", dst, 1, rows * columns * size // BLOCK & 0xFFFF, 0, 0)
        core.emit("PipeBarrier", "PIPE_MTE2")
    column = -(-rows // 16) * 16
    if pitch < STRIDE_LIMIT:
        core.emit("DataCopy", dst, src, 1, m & 0xFFFF, n & 0xFFFF, 0, pitch, column & 0xFFFF, 1, 0)
        return
    for row in range(m):
        core.emit(
            "DataCopy",
            dst.at(row * unit),
            src.at(row * pitch),
            1,
            1,
            n & 0xFFFF,
            0,
            0,
            column & 0xFFFF,
            0,
            0,
        )


QUANTISATION = {
    ("float32", "float16"): "F322F16",
    ("float32", "bfloat16"): "F322BF16",
    ("float32", "float32"): "NoQuant",
    ("int32", "int32"): "NoQuant",
}
"""What Fixpipe converts, by the types in L0C and GM."""


def copy_l0c_to_gm(
    core: Any, dst: Any, src: Any, rows: int, columns: int, pitch: int, m: int, n: int, relu: bool
) -> None:
    """`m` × `n` of a result of rows × columns; 0 of either means all."""
    m, n = m or rows, n or columns
    mode = QUANTISATION[src.dtype, dst.dtype]
    sizes = (n & 0xFFFF, m & 0xFFFF, -(-rows // 16) * 16 & 0xFFFF, pitch)
    core.emit("Fixpipe", dst, src, "ROW_MAJOR", *sizes, relu, mode, 0)


def atomic_add_l0c_to_gm(
    core: Any, dst: Any, src: Any, rows: int, columns: int, pitch: int, m: int, n: int
) -> None:
    """As copy_l0c_to_gm, added to what is there."""
    core.emit("SetAtomicAdd", dst.dtype)
    copy_l0c_to_gm(core, dst, src, rows, columns, pitch, m, n, False)
    core.emit("SetAtomicNone")
