"""Outputs against the reference, and against each other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from gen.check.bounds import Bounded
from gen.check.formats import F64, Array, to_float64, ulp
from gen.spec import DType

CHUNK = 1 << 15
"""Elements compared at a time: the temporaries stay in the cache, and no page is touched twice."""


@dataclass(frozen=True)
class Mismatch:
    """The first element, in row-major order, that is further off than it may be."""

    tensor: str
    index: tuple[int, ...]
    got: float
    want: float
    allowed: float
    """Largest permitted absolute difference; 0 means bit for bit."""
    count: int
    """Elements that are off."""
    total: int

    def __str__(self) -> str:
        where = ", ".join(map(str, self.index))
        allowed = "bit for bit" if self.allowed == 0 else f"within {self.allowed:.3g}"
        return (
            f"{self.tensor}[{where}] = {self.got!r}, expected {self.want!r} {allowed};"
            f" {self.count} of {self.total} elements are wrong"
        )


@dataclass(frozen=True)
class Accuracy:
    """How close an output came to the reference."""

    mismatch: Mismatch | None
    max_ulp: float
    """Largest difference in units in the last place of the output format; inf for a wrong NaN."""
    of_bound: float
    """Largest difference as a share of what the element may be off; 0: all agree bit for bit."""
    exact: bool
    """Whether the comparison was bit for bit."""


@dataclass(frozen=True)
class Pair:
    """Two trees held against each other."""

    left: str
    right: str
    max_ulp: float
    mismatch: Mismatch | None


def against_reference(name: str, got: Array, want: Bounded, dtype: DType) -> Accuracy:
    """Judges every element: equal where the reference is exact, else within its bound.

    NaN and infinities must match.
    """
    judged = _Judge(name, got.shape, dtype)
    judged.run(lambda part: to_float64(got.ravel()[part]), want, 1.0)
    return Accuracy(judged.mismatch, judged.max_ulp, judged.of_bound, want.exact)


def worst(first: Accuracy, second: Accuracy) -> Accuracy:
    """Both together, as one figure."""
    return Accuracy(
        first.mismatch or second.mismatch,
        max(first.max_ulp, second.max_ulp),
        max(first.of_bound, second.of_bound),
        first.exact and second.exact,
    )


def against_each_other(
    name: str, outputs: Sequence[tuple[str, Array]], want: Bounded, dtype: DType
) -> list[Pair]:
    """Every pair of trees: equal where the reference is exact, else within both bounds together."""
    pairs = []
    for i, (left, a) in enumerate(outputs):
        for right, b in outputs[i + 1 :]:
            judged = _Judge(name, a.shape, dtype)
            if a.tobytes() != b.tobytes():
                other = Bounded(to_float64(b), want.error)
                judged.run(lambda part, a=a: to_float64(a.ravel()[part]), other, 2.0)  # type: ignore[misc]
            pairs.append(Pair(left, right, judged.max_ulp, judged.mismatch))
    return pairs


class _Judge:
    """Compares chunk by chunk and keeps the first mismatch and the largest differences."""

    def __init__(self, name: str, shape: tuple[int, ...], dtype: DType) -> None:
        self.max_ulp = 0.0
        self.of_bound = 0.0
        self._name, self._shape, self._dtype = name, shape, dtype
        self._first: tuple[int, float, float, float] | None = None
        self._count = 0

    @property
    def mismatch(self) -> Mismatch | None:
        if self._first is None:
            return None
        at, got, want, allowed = self._first
        index = tuple(int(i) for i in np.unravel_index(at, self._shape))
        total = int(np.prod(self._shape))
        return Mismatch(self._name, index, got, want, allowed, self._count, total)

    def run(self, got: Callable[[slice], F64], want: Bounded, widen: float) -> None:
        """`widen` times the bound of `want` is allowed."""
        value = want.value.ravel()
        error = np.broadcast_to(want.error, want.value.shape).ravel() if want.error.any() else None
        with np.errstate(all="ignore"):
            for part in _parts(value.size):
                allowed = np.zeros(1) if error is None else widen * error[part]
                self._chunk(part.start, got(part), value[part], allowed)

    def _chunk(self, start: int, got: F64, want: F64, allowed: F64) -> None:
        same = (got == want) | (np.isnan(got) & np.isnan(want))
        if same.all():
            return
        off = np.abs(got - want)
        wrong = ~same & ~(off <= allowed)
        distance = np.where(same, 0.0, np.where(np.isfinite(off), off, np.inf))
        self.max_ulp = max(self.max_ulp, float((distance / ulp(want, self._dtype)).max()))
        share = np.where(distance > 0, distance / allowed, 0.0)
        self.of_bound = max(self.of_bound, float(share.max()))
        self._note(start, wrong, got, want, np.broadcast_to(allowed, got.shape))

    def _note(self, start: int, wrong: Array, got: F64, want: F64, allowed: F64) -> None:
        count = int(np.count_nonzero(wrong))
        if count and self._first is None:
            i = int(np.argmax(wrong))
            self._first = (start + i, float(got[i]), float(want[i]), float(allowed[i]))
        self._count += count


def _parts(size: int) -> Iterator[slice]:
    for start in range(0, size, CHUNK):
        yield slice(start, min(start + CHUNK, size))
