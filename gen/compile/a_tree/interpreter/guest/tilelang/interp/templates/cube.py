"""L1 to L0, and products. Sizes count elements; a fractal is 16 rows of 32 bytes."""

from __future__ import annotations

from typing import Any

from .copies import BYTES

STEP = 128
"""Columns of K that gemm_v0 takes to L0 at a time."""
FRACTAL = 512


def _up(n: int, unit: int) -> int:
    return -(-n // unit) * unit


def _load(
    core: Any,
    dst: Any,
    src: Any,
    rounds: int,
    steps: tuple[int, int],
    repeat: int,
    stride: int,
    turn: bool,
) -> None:
    """`rounds` loads; `steps` are the elements from one to the next, in dst and in src."""
    for i in range(rounds):
        core.emit(
            "LoadData", dst.at(i * steps[0]), src.at(i * steps[1]),
            0, repeat & 0xFF, stride & 0xFFFF, 0, 0, turn, 0,
        )  # fmt: skip


def copy_l1_to_l0a(
    core: Any, dst: Any, src: Any, rows: int, columns: int, m: int, k: int, transpose: bool = False
) -> None:
    """An m × k tile of an L1 buffer of rows × columns (of its transpose: the buffer is k × m)."""
    size = BYTES[dst.dtype]
    unit = 32 // size
    if not transpose:
        steps = (_up(k, unit) * 16, FRACTAL // size)
        _load(core, dst, src, -(-m // 16), steps, -(-k // unit), _up(rows, 16) // 16, False)
        return
    # L1 holds the transpose: its layout there is nZ of columns × rows.
    if dst.dtype != "int8":
        steps = (_up(k, unit) * 16, _up(rows, 16) * unit)
        _load(core, dst, src, -(-m // 16), steps, -(-k // unit), 1, True)
        return
    blocks = -(-k // unit)
    for i in range(-(-m // unit)):
        core.emit(
            "LoadDataWithTranspose", dst.at(i * _up(k, unit) * 32), src.at(i * _up(rows, 16) * unit),
            0, blocks, 1, 0, blocks - 1,
        )  # fmt: skip


def copy_l1_to_l0b(
    core: Any, dst: Any, src: Any, rows: int, columns: int, k: int, n: int, transpose: bool = False
) -> None:
    """A k × n tile of an L1 buffer of rows × columns (of its transpose: the buffer is n × k)."""
    size = BYTES[dst.dtype]
    unit = 32 // size
    if transpose:
        steps = (_up(n, 16) * unit, _up(rows, 16) * unit)
        _load(core, dst, src, -(-k // unit), steps, -(-n // 16), 1, False)
        return
    if dst.dtype != "int8":
        steps = (_up(n, 16) * unit, FRACTAL // size)
        _load(core, dst, src, -(-k // unit), steps, -(-n // 16), _up(rows, 16) // 16, True)
        return
    for i in range(-(-k // unit)):
        core.emit(
            "LoadDataWithTranspose", dst.at(i * _up(n, 16) * unit), src.at(i * FRACTAL * 2),
            0, -(-n // unit), _up(rows, 16) // 16 // 2, 1, 0,
        )  # fmt: skip


def mma(core: Any, a: Any, b: Any, c: Any, m: int, n: int, k: int, init: bool) -> None:
    """c (m × n) = a × b, plus c unless `init`."""
    core.emit("Mmad", c, a, b, m & 0xFFFF, n & 0xFFFF, k & 0xFFFF, 0, False, init)


def gemm_v0(
    core: Any,
    a: Any,
    b: Any,
    c: Any,
    sizes: tuple[int, int, int],
    turned: tuple[bool, bool],
    clear: bool,
) -> None:
    """c += a × b from L1, in steps of 128 columns of K through both halves of L0A and L0B."""
    m, n, k = sizes
    l0a, l0b = core.l0("l0a", a.dtype), core.l0("l0b", b.dtype)
    for event in ("MTE2_MTE1", "FIX_M"):
        core.emit("SetFlag", event, 0)
        core.emit("WaitFlag", event, 0)
    core.emit("SetFlag", "M_MTE1", 0)
    core.emit("SetFlag", "M_MTE1", 1)
    for step in range(-(-k // STEP)):
        half = step & 1
        depth = min(STEP, k - step * STEP)
        left, right = l0a.at(half * m * STEP), l0b.at(half * n * STEP)
        core.emit("WaitFlag", "M_MTE1", half)
        if not turned[0]:
            copy_l1_to_l0a(core, left, a.at(step * m * STEP), m, k, m, depth)
        else:
            copy_l1_to_l0a(core, left, a.at(step * 16 * STEP), k, m, m, depth, True)
        if not turned[1]:
            copy_l1_to_l0b(core, right, b.at(step * 16 * STEP), k, n, depth, n)
        else:
            copy_l1_to_l0b(core, right, b.at(step * n * STEP), n, k, depth, n, True)
        core.emit("SetFlag", "MTE1_M", half)
        core.emit("WaitFlag", "MTE1_M", half)
        core.emit("PipeBarrier", "PIPE_M")
        mma(core, left, right, c, m, n, depth, clear and step == 0)
        core.emit("SetFlag", "M_MTE1", half)
    core.emit("WaitFlag", "M_MTE1", 0)
    core.emit("WaitFlag", "M_MTE1", 1)
    for event in ("MTE1_MTE2", "M_FIX"):
        core.emit("SetFlag", event, 0)
        core.emit("WaitFlag", event, 0)
