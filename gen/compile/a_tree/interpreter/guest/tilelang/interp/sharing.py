"""threads=2: the vector cores of a block share every tile in UB, half of its first dimension each.

As tilelang-ascend 0.1.4 does: buffers in UB get half their rows, loops over the first dimension of one half their
rounds, copies with GM start further by the rows of the first core, and operations on whole buffers take half the
elements. What it does not halve would run over the half that is left: that is refused.
"""

from __future__ import annotations

from typing import Any

from .buffer import Buffer, Region
from .expression import Expression, static
from .extents import Area
from .places import site
from .refusal import RefusalError, unsupported
from .session import session

OPERATIONS = {
    *(
        f"T.tile.{n}"
        for n in ("add", "sub", "mul", "div", "max", "min", "bitwise_and", "bitwise_or")
    ),
    *(f"T.tile.{n}" for n in ("exp", "ln", "abs", "reciprocal", "sqrt", "rsqrt", "relu")),
    *(f"T.tile.{n}" for n in ("bitwise_not", "leaky_relu", "axpy", "bitwise_lshift")),
    *(f"T.tile.{n}" for n in ("bitwise_rshift", "compare", "sin", "cos", "fill", "cast")),
    "T.reduce_sum",
    "T.reduce_max",
    "T.reduce_min",
}
"""Those that the compiler halves, or that take a count."""


def half(n: int) -> int:
    """Of the elements of a dimension."""
    return max(int(n) // 2, 1)


def allocated(buffer: Buffer) -> Buffer:
    """A new buffer of a kernel with threads=2: each core has its half."""
    if buffer.scope == "ub":
        buffer.shape = (half(buffer.shape[0]), *buffer.shape[1:])
        buffer.halved = True
    return buffer


def check_rows(buffer: Buffer) -> None:
    """Refuses a buffer whose first dimension has no half: operations take half of its elements all the same."""
    if buffer.written[0] % 2:
        raise RefusalError(
            f"with threads=2 operations take half of the elements of {buffer.name}, and its first dimension,"
            f" {buffer.written[0]}, is odd",
            "give it an even first dimension, or leave threads out",
        )


def check(buffer: Buffer, part: Buffer | Region, what: str) -> None:
    """Refuses what the compiler does not halve."""
    if not buffer.halved:
        if session().plan.kernel.threads == 2:
            raise unsupported(
                f"{what} of a buffer that the vector cores do not share, with threads=2"
            )
        return
    if what not in OPERATIONS:
        raise RefusalError(
            f"with threads=2 every core has half of {buffer.name}, and the compiler does not halve {what}",
            "leave threads out, and write T.Kernel(cores, is_npu=True) as (cid, vid)",
        )
    if isinstance(part, Region):
        offset = sum((i * n for i, n in zip(part.low, buffer.strides, strict=True)), 0)
        known = static(offset) if isinstance(offset, Expression) else offset
        if known == 0:
            raise RefusalError(
                f"with threads=2 the compiler halves the elements of this part of {buffer.name}, because it starts the"
                " buffer",
                "work on the whole buffer, or leave threads out",
            )


def copied(source: Area, target: Area) -> None:
    """Both sides of a copy, for the half of one core."""
    now = session()
    kernel = now.plan.kernel if now.plan is not None else now.core.plan.kernel
    if kernel is None or kernel.threads != 2:
        return
    tiles = [area for area in (source, target) if area.buffer.scope == "ub"]
    others = [area for area in (source, target) if area.buffer.scope != "ub"]
    if not tiles:
        return
    if not all(area.buffer.halved for area in tiles):
        raise unsupported("a copy of a buffer that the vector cores do not share, with threads=2")
    for area in tiles:
        _halve(area, 0)
    for area in others:
        if area.buffer.scope != "global":
            raise unsupported("a copy between UB and the cube core with threads=2")
        tile = tiles[0].buffer
        place = len(area.low) - len(tile.shape)
        if place < 0:
            raise RefusalError(
                f"{tile.name} has more dimensions than {area.buffer.name}, which the compiler does not take with"
                " threads=2"
            )
        _halve(area, place)
        vid = now.plan.vid if now.plan is not None else now.core.vid
        area.low = list(area.low)
        area.low[place] = area.low[place] + vid * tile.shape[0]


def _halve(area: Area, place: int) -> None:
    extent = area.extent[place]
    if not isinstance(extent, int):
        raise RefusalError(
            f"with threads=2 the size of a part of {area.buffer.name} must be a constant",
            "copy the whole buffer",
        )
    area.extent, area.fixed = list(area.extent), list(area.fixed)
    area.extent[place] = half(extent)
    area.fixed[place] = half(extent)


def rounds(stop: Any) -> Any:
    """The end of a loop that starts here, counted from 0."""
    now = session()
    plan = now.plan if now.plan is not None else getattr(now.core, "plan", None)
    if plan is None or not plan.seen or site() not in plan.seen.loops:
        return stop
    if isinstance(stop, int):
        return half(stop)
    return stop // 2
