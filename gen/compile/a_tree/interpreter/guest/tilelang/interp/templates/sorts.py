"""Sorting: pairs of a value and its index, by falling value."""

from __future__ import annotations

from typing import Any

GROUP = 32
"""Pairs that one instruction sorts."""
ANY = 0
"""A number that a mode does not look at."""


def barrier(core: Any) -> None:
    """All of V before what follows."""
    core.emit("PipeBarrier", "PIPE_V")


def merge(core: Any, dst: Any, lists: list[Any], lengths: list[int]) -> None:
    """Two to four sorted lists; the first one stands for those that are not there."""
    count = len(lists)
    sources = [*lists, *([lists[0]] * (4 - count))]
    core.emit("MrgSort", dst, *sources, *lengths, *([0] * (4 - count)), False, (1 << count) - 1, 1)


def sort(core: Any, dst: Any, src: Any, tmp: Any, repeats: int, actual: int) -> None:
    """All of `src`; elements behind the first `actual` become -inf, there as well."""
    n = GROUP * repeats
    if dst.dtype == "float32":
        return _sort_floats(core, dst, src, tmp, repeats, actual)
    wide = tmp.cast("float32")
    core.emit("Cast", wide.at(3 * n), src, "CAST_NONE", n)
    _sort_floats(core, wide.at(2 * n), wide.at(3 * n), wide, repeats, actual)
    core.emit("Cast", dst, wide.at(2 * n), "CAST_RINT", 2 * n)
    barrier(core)
    return None


def _sort_floats(core: Any, dst: Any, src: Any, tmp: Any, repeats: int, actual: int) -> None:
    n = GROUP * repeats
    core.emit("ArithProgression", dst, 0.0, 1.0, n)
    barrier(core)
    if actual < n:
        _pad(core, src, actual, n)
        barrier(core)
    core.emit("Sort32", tmp, src, dst.cast("uint32"), repeats)
    barrier(core)
    in_tmp = _merge_all(core, dst, tmp, repeats)
    if in_tmp:
        core.emit("DataCopy", dst, tmp, 2 * n)


def _pad(core: Any, src: Any, actual: int, end: int) -> None:
    lowest = -float("inf")
    whole, rest = actual // 8 * 8, actual % 8
    if rest == 0:
        core.emit("Duplicate", src.at(actual), lowest, end - actual)
        return
    if whole + 8 < end:
        core.emit("Duplicate", src.at(whole + 8), lowest, end - whole - 8)
    core.emit("Duplicate", src.at(whole), lowest, 0xFF << rest & 0xFF, 0, 1, 1, 0)


def _merge_all(core: Any, dst: Any, tmp: Any, groups: int) -> bool:
    """Rounds of merging, from one of the two to the other; whether the result is in `tmp`."""
    lengths = [GROUP] * groups
    here, there = tmp, dst
    while len(lengths) > 1:
        merged, offset = [], 0
        for first in range(0, len(lengths), 4):
            mine = lengths[first : first + 4]
            starts = [offset + 2 * sum(mine[:i]) for i in range(len(mine))]
            if len(mine) == 1:
                core.emit("DataCopy", there.at(offset), here.at(offset), 2 * mine[0])
            else:
                merge(core, there.at(offset), [here.at(s) for s in starts], mine)
            offset += 2 * sum(mine)
            merged.append(sum(mine))
        barrier(core)
        lengths = merged
        here, there = there, here
    return here is tmp


def topk(core: Any, dst: Any, src: Any, tmp: Any, k: int, repeats: int, actual: int) -> None:
    """The first pairs of all, rounded up to blocks of 32 bytes."""
    sort(core, tmp, src, tmp.at(2 * GROUP * repeats), repeats, actual)
    barrier(core)
    block = 8 if dst.dtype == "float32" else 16
    core.emit("DataCopy", dst, tmp, -(-2 * k // block) * block)


def init_sort_buf(core: Any, buffer: Any, count: int) -> None:
    """Pairs of -inf and -1, in groups of 32."""
    words = buffer.cast("int32")
    for value, mask in ((-0x80_0000, 0x5555_5555_5555_5555), (-1, 0xAAAA_AAAA_AAAA_AAAA)):
        core.emit("Duplicate", words, value, mask, 0, count // 64, 1, 8)
    barrier(core)


def gather_mask(core: Any, dst: Any, src: Any, pattern: int, size: int) -> None:
    """Whole repeats of 256 bytes, as many as the source takes."""
    repeats = -(-src.elements * size // 256)
    core.emit("GatherMask", dst, src, pattern, False, ANY, 1, repeats, 8, 0)
    barrier(core)


def gather_blocks(
    core: Any, dst: Any, src: Any, offsets: Any, repeats: int, block: int, repeat: int
) -> None:
    """Blocks of 32 bytes, as words."""
    core.emit("Gatherb", dst.cast("uint32"), src.cast("uint32"), offsets, repeats, block, repeat)
    barrier(core)
