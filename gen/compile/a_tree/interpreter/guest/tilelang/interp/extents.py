"""How T.copy finds out what it copies (as tilelang-ascend 0.1.4 does, in language/copy.py and op/ascend.cc)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .buffer import Buffer, Element, Region
from .expression import Expression
from .refusal import RefusalError
from .session import session

Side = Buffer | Region | Element


@dataclass(slots=True)
class Area:
    """One side of a copy: where it starts and how long it is in every dimension of its buffer."""

    buffer: Buffer
    low: list[Any]
    extent: list[Any]
    fixed: list[int | None]
    """The extents that are known before a core runs."""

    @property
    def offset(self) -> Any:
        """Elements from the start of the buffer."""
        return sum((i * n for i, n in zip(self.low, self.buffer.strides, strict=True)), 0)

    def pitch(self) -> int:
        """Elements from a row to the next: leading dimensions of one row widen the step."""
        shape = self.buffer.shape
        step = shape[-1]
        for i in range(len(shape) - 2, -1, -1):
            if self.fixed[i] != 1:
                break
            step = step * shape[i]
        return int(step)

    def valid(self) -> tuple[Any, Any]:
        """Rows and columns that lie in the tensor."""
        active = [i for i, n in enumerate(self.fixed) if n != 1]
        last = len(self.fixed) - 1
        if not active or active[-1] != last:
            active.append(last)
        if len(active) == 1 and last > 0:
            active.insert(0, last - 1)
        column = self._inside(active[-1])
        return (self._inside(active[-2]) if len(active) > 1 else 1), column

    def _inside(self, i: int) -> Any:
        left = self.buffer.shape[i] - self.low[i]
        extent = self.extent[i]
        if isinstance(left, Expression) or isinstance(extent, Expression):
            # The plan asks only whether all of it is.
            return _planned(left, extent)
        core = session().core
        if core is not None:
            core.inside(i, self.buffer.shape[i] - extent, fits=left >= extent)
        return extent if left >= extent else max(left, 0)


def _planned(left: Any, extent: Any) -> Any:
    return extent if (left - extent >= 0).truth else left


def areas(src: Any, dst: Any, *, transposed: bool = False) -> tuple[Area, Area]:
    """What a copy reads and writes. Raises RefusalError where that cannot be told."""
    for side in (src, dst):
        if not isinstance(side, Side):
            raise RefusalError(f"T.copy takes buffers and parts of them, not {type(side).__name__}")
    if isinstance(src, Buffer) and isinstance(dst, Buffer) and not transposed:
        _same_shape(src, dst)
    extents = [_extent(src), _extent(dst)]
    if extents[0] is None and extents[1] is None:
        raise RefusalError(
            "T.copy of single elements says nowhere how much it copies",
            "give one side of T.copy as a whole buffer or as slices",
        )
    merged = _merged(*extents)
    return _area(src, merged, "src"), _area(dst, merged, "dst")


def _same_shape(src: Buffer, dst: Buffer) -> None:
    pairs = zip(src.written, dst.written, strict=False)
    same = len(src.shape) == len(dst.shape) and all(a is b or a == b for a, b in pairs)
    if not same:
        raise RefusalError(
            f"T.copy of whole buffers needs equal shapes: {src.name} is {list(src.shape)}, {dst.name}"
            f" {list(dst.shape)}",
            "give the larger side as a part of it",
        )


def _extent(side: Side) -> list[Any] | None:
    if isinstance(side, Buffer):
        return list(side.written)
    return list(side.extent) if isinstance(side, Region) else None


def _merged(src: list[Any] | None, dst: list[Any] | None) -> list[Any]:
    """The larger of both in every dimension, counted from the first."""
    length = max(len(src or ()), len(dst or ()))
    one = [*(src or ()), *[1] * (length - len(src or ()))]
    two = [*(dst or ()), *[1] * (length - len(dst or ()))]
    return [_larger(a, b) for a, b in zip(one, two, strict=True)]


def _larger(a: Any, b: Any) -> Any:
    if isinstance(a, int) and isinstance(b, int):
        return max(a, b)
    return b if isinstance(a, int) and a == 1 else a


def _area(side: Side, merged: list[Any], which: str) -> Area:
    buffer = side if isinstance(side, Buffer) else side.buffer
    rank = len(buffer.shape)
    if isinstance(side, Buffer):
        low, extent = [0] * rank, list(side.written)
    elif isinstance(side, Region):
        low, extent = side.low, side.extent
    else:
        given = merged[-rank:]
        low, extent = side.index, [1] * (rank - len(given)) + given
    return Area(buffer, low, extent, _fixed(extent, which))


def _fixed(extent: list[Any], which: str) -> list[int | None]:
    now = session()
    if now.plan is not None:
        found = [n if isinstance(n, int) else None for n in extent]
        now.plan.note(f"extent of {which}", found)
        return found
    known = now.core.known(f"extent of {which}")
    return list(extent) if known is None else known
