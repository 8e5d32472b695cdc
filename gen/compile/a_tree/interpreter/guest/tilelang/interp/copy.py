"""T.copy: between GM and the chip, and between the memories of a core."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

from . import sharing
from .buffer import BYTES, NAMES, Buffer, Region
from .expression import static
from .extents import Area, areas
from .operation import operation, scalar
from .places import line
from .refusal import RefusalError
from .session import session
from .templates import copies, cube
from .tile_checks import converted

C0 = 32
"""Bytes of a row of a fractal."""


@operation
def copy(
    src: Any,
    dst: Any,
    enable_relu: bool = False,
    transpose: bool | None = False,
    pad_value: Any = None,
) -> None:
    """Copies a tile. What lies outside of a tensor in GM is left out, and `pad_value` fills the rest of a tile in UB.

    `enable_relu`: of a result in L0C. `transpose`: from L1 to L0.
    """
    source, target = areas(src, dst, transposed=bool(transpose))
    sharing.copied(source, target)
    way = (source.buffer.scope, target.buffer.scope)
    if way not in _WAYS:
        _no_way(*way)
    planning = session().plan
    if planning is not None:
        planning.touch(source.buffer, target.buffer, written=(1,))
        _check_index_beside_slice(src, dst)
        _check_index_beside_slice(dst, src)
    _WAYS[way](source, target, bool(enable_relu), bool(transpose), pad_value)


def move(source: Area, target: Area) -> None:
    """The same of areas: what T.Parallel copies."""
    way = (source.buffer.scope, target.buffer.scope)
    if way not in _WAYS:
        _no_way(*way)
    planning = session().plan
    if planning is not None:
        planning.touch(source.buffer, target.buffer, written=(1,))
    _WAYS[way](source, target, False, False, None)


def _no_way(source: str, target: str) -> None:
    what = f"T.copy from {NAMES[source]} to {NAMES[target]}"
    if (source, target) in (("ub", "l1"), ("l0c", "ub")):
        raise RefusalError(
            f"{what} makes the compiler add a tensor and emit only one half of the copy",
            "copy to a tensor in GM, and from there after a flag between the cores",
        )
    if (source, target) == ("l1", "ub"):
        raise RefusalError(f"{what} is emitted as a copy within UB", "copy through a tensor in GM")
    help = "copy from GM to L1 first, then from L1 to L0" if source == "global" else ""
    raise RefusalError(f"{what} does not exist", help)


def _check_index_beside_slice(side: Any, other: Any) -> None:
    """An index behind a slice is one column, however wide the other side is."""
    if not isinstance(side, Region) or side.buffer.scope != "global":
        return
    given = side.given if isinstance(side.given, tuple) else (side.given,)
    width = other.shape[-1] if isinstance(other, Buffer | Region) else 1
    if len(given) > 1 and not isinstance(given[-1], slice) and width != 1:
        raise RefusalError(
            f"an index beside a slice has extent 1: this copies one column of {side.buffer.name}, and not {width}",
            "use an index for every dimension (the tile gives the size), or a slice for every one",
        )


def _fixed(area: Area, i: int, what: str) -> int:
    """An extent on the chip, which the compiler prints into the C++ as a constant."""
    extent = area.extent[i]
    if not isinstance(extent, int):
        raise RefusalError(
            f"the size of a part of {area.buffer.name} must be a constant: {what} takes it as a template argument",
            "copy the whole buffer: what lies outside of the tensor is left out",
        )
    return extent


def _tile(area: Area, what: str) -> tuple[int, int]:
    """Rows and columns of the tile in UB."""
    columns = _fixed(area, -1, what)
    if len(area.buffer.shape) == 1:
        return 1, columns
    rows = area.buffer.shape[-2]
    known = area.fixed[-2]
    return (min(rows, known) if known is not None else rows), columns


def _plan_rows(area: Area, rows: int, columns: int) -> None:
    """What copies and tile operations disagree about: how far rows are apart."""
    plan = session().plan
    buffer = area.buffer
    if plan is None or rows == 1:
        return
    plan.pitched.setdefault(buffer, line())
    width = buffer.shape[-1]
    if columns != width:
        raise RefusalError(
            f"rows of {buffer.name} are {width} elements apart, and this copy takes them to be {columns} apart",
            f"copy row by row ({buffer.name}[r, …]), or use a buffer with rows of {columns} elements",
        )
    if columns == 1 and buffer.shape[-1] == 1:
        raise RefusalError(
            f"copies take rows of one element of {buffer.name} 32 bytes apart, and the compiler packs them",
            f"keep the {rows} numbers in a buffer of one dimension, and copy that",
        )


def _check_types(source: Area, target: Area) -> None:
    if session().plan is not None and source.buffer.dtype != target.buffer.dtype:
        raise RefusalError(
            f"T.copy does not convert: {source.buffer.name} is {source.buffer.dtype}, {target.buffer.name}"
            f" {target.buffer.dtype}",
            "copy into a buffer of the same type, and convert with T.tile.cast",
        )


def _gm_to_ub(source: Area, target: Area, relu: bool, transpose: bool, pad: Any) -> None:
    rows, columns = _tile(target, "copy_gm_to_ub")
    m, n = source.valid()
    now = session()
    if now.plan is not None:
        _check_types(source, target)
        _plan_rows(target, rows, columns)
        _check_flat(source, target, rows)
        return
    core = now.core
    value = 0 if pad is None else scalar(pad)
    dst, src = core.view(target.buffer).at(target.offset), core.view(source.buffer).at(
        source.offset
    )
    copies.copy_gm_to_ub(core, dst, src, columns, rows, source.pitch(), m, n, value)


def _check_flat(source: Area, target: Area, rows: int) -> None:
    """Two dimensions of GM do not fit into one of UB."""
    block = [n for n in source.fixed if n != 1]
    if len(target.buffer.shape) == 1 and len(block) > 1:
        raise RefusalError(
            f"a block of {source.buffer.name} with rows does not fit into {target.buffer.name}, which has one"
            " dimension: the copy would write rows behind its end",
            "allocate the buffer with rows and columns",
        )


def _ub_to_gm(source: Area, target: Area, relu: bool, transpose: bool, pad: Any) -> None:
    rows, columns = _tile(source, "copy_ub_to_gm")
    m, n = target.valid()
    now = session()
    if now.plan is not None:
        _check_types(source, target)
        _plan_rows(source, rows, columns)
        return
    core = now.core
    dst, src = core.view(target.buffer).at(target.offset), core.view(source.buffer).at(
        source.offset
    )
    copies.copy_ub_to_gm(core, dst, src, columns, target.pitch(), m, n)


def _ub_to_ub(source: Area, target: Area, relu: bool, transpose: bool, pad: Any) -> None:
    length = prod(_fixed(target, i, "copy_ub_to_ub") for i in range(len(target.extent)))
    one, two = (_rows(a) for a in (source, target))
    now = session()
    if now.plan is not None:
        if source.buffer.dtype != target.buffer.dtype:
            converted(target.buffer.dtype, source.buffer.dtype)
        _check_blocks(source, target, length, one, two)
        return
    core = now.core
    dst, src = core.view(target.buffer).at(target.offset), core.view(source.buffer).at(
        source.offset
    )
    copies.copy_ub_to_ub(core, dst, src, length, one, two)


def _rows(area: Area) -> tuple[int, int, int]:
    rows = _fixed(area, -2, "copy_ub_to_ub") if len(area.extent) > 1 else 1
    return rows, _fixed(area, -1, "copy_ub_to_ub"), area.buffer.shape[-1]


def _check_blocks(
    source: Area, target: Area, length: int, one: tuple[int, int, int], two: tuple[int, int, int]
) -> None:
    """Within UB whole blocks of 32 bytes are copied: what is left over is not."""
    whole = one[1] == one[2] and two[1] == two[2]
    run = (length if whole else one[1]) * source.buffer.size
    if source.buffer.dtype == target.buffer.dtype and run % C0:
        raise RefusalError(
            f"a copy within UB moves whole blocks of 32 bytes, and {run} bytes are rounded down to {run // C0 * C0}",
            "use T.tile.max(dst, src, src)",
        )


def _gm_to_l1(source: Area, target: Area, relu: bool, transpose: bool, pad: Any) -> None:
    buffer = target.buffer
    rows, columns = buffer.shape[-2:]
    place = _fractal_offset(target)
    m, n = source.valid()
    now = session()
    if now.plan is not None:
        _check_types(source, target)
        _check_fractals(buffer)
        now.plan.note("clear", static(place) == 0)
        return
    core = now.core
    known = core.known("clear")
    clear = (place == 0 if known is None else known) and core.starts(buffer)
    dst, src = core.view(buffer).at(place), core.view(source.buffer).at(source.offset)
    core.loaded(buffer, place, (m or rows, n or columns), clear)
    copies.copy_gm_to_l1(core, dst, src, rows, columns, source.pitch(), m, n, clear)


def _check_fractals(buffer: Buffer) -> None:
    unit = C0 // BYTES[buffer.dtype]
    rows, columns = buffer.shape[-2:]
    if rows % 16 or columns % unit:
        raise RefusalError(
            f"{buffer.name} is {rows} × {columns}, and L1 holds fractals of 16 × {unit}: the compiler reserves too"
            " little, and buffers overlap",
            "make the tile larger: what lies outside of the tensor is filled with zeros",
        )


def _fractal_offset(area: Area) -> Any:
    """Where an element of an L1 buffer lies: NZ, 16 rows of 32 bytes to a fractal, columns of fractals."""
    buffer = area.buffer
    unit = C0 // BYTES[buffer.dtype]
    rows = buffer.shape[-2]
    high = -(-rows // 16) * 16
    i, j = area.low[-2:]
    inner = i // 16 * (16 * unit) + j // unit * (high * unit) + i % 16 * unit + j % unit
    lead = sum((n * s for n, s in zip(area.low[:-2], buffer.strides[:-2], strict=True)), 0)
    return lead + inner


def _l1_to_l0(load: Callable[..., None]) -> Callable[..., None]:
    def run(source: Area, target: Area, relu: bool, transpose: bool, pad: Any) -> None:
        rows, columns = source.buffer.shape[-2:]
        m, n = target.buffer.shape[-2:]
        now = session()
        if now.plan is not None:
            _check_types(source, target)
            _check_fractals(source.buffer)
            _check_turned(load, source.buffer, transpose)
            return
        core = now.core
        dst = core.view(target.buffer).at(target.offset)
        src = core.view(source.buffer).at(_fractal_offset(source))
        load(core, dst, src, rows, columns, m, n, transpose)

    return run


def _check_turned(load: Callable[..., None], buffer: Buffer, transpose: bool) -> None:
    """LoadData turns squares of 2-byte elements only."""
    turned = transpose if load is cube.copy_l1_to_l0a else not transpose
    if turned and buffer.dtype == "float32":
        raise RefusalError(
            f"{buffer.name} is float32, and L1 to L0 cannot transpose 4-byte elements",
            "store A as [M, K] and B as [N, K], and copy B with transpose=True",
        )


def _l0c_to_gm(source: Area, target: Area, relu: bool, transpose: bool, pad: Any) -> None:
    rows, columns = source.buffer.shape[-2:]
    m, n = target.valid()
    now = session()
    pair = (source.buffer.dtype, target.buffer.dtype)
    if now.plan is not None:
        if pair not in copies.QUANTISATION:
            raise RefusalError(
                f"Fixpipe does not convert {pair[0]} in L0C to {pair[1]} in GM",
                "accumulate in float32 (int32 of int8), and store float16, bfloat16 or float32 (int32)",
            )
        return
    core = now.core
    dst, src = core.view(target.buffer).at(target.offset), core.view(source.buffer).at(
        source.offset
    )
    copies.copy_l0c_to_gm(core, dst, src, rows, columns, target.pitch(), m, n, relu)


_WAYS: dict[tuple[str, str], Callable[..., None]] = {
    ("global", "ub"): _gm_to_ub,
    ("ub", "global"): _ub_to_gm,
    ("ub", "ub"): _ub_to_ub,
    ("global", "l1"): _gm_to_l1,
    ("l1", "l0a"): _l1_to_l0(cube.copy_l1_to_l0a),
    ("l1", "l0b"): _l1_to_l0(cube.copy_l1_to_l0b),
    ("l0c", "global"): _l0c_to_gm,
}
