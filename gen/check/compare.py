"""Outputs against the reference, and against each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gen.check.bounds import Bounded
from gen.check.formats import Array, to_float64, ulp
from gen.spec import DType


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
    """Largest difference in units in the last place of the output format, over finite elements."""
    of_bound: float
    """Largest difference as a share of what the element may be off; 0 where everything agrees bit for bit."""
    exact: bool
    """Whether the comparison was bit for bit."""


def against_reference(name: str, got: Array, want: Bounded, dtype: DType) -> Accuracy:
    """Judges every element: equal where the reference is exact, else within its bound; NaN and inf must match."""
    value, reference = to_float64(got), want.value
    with np.errstate(invalid="ignore", divide="ignore"):
        off = np.abs(value - reference)
        wrong = ~_same(value, reference) & ~(off <= want.error)
        finite = np.isfinite(off)
        distance = np.where(finite, off / ulp(reference, dtype), 0.0)
        share = np.where(finite & (off > 0), off / want.error, 0.0)
    mismatch = _first(name, value, reference, want.error, wrong)
    return Accuracy(mismatch, float(distance.max()), float(share.max()), want.exact)


def _same(a: Array, b: Array) -> Array:
    """Equal numbers (a zero equals a zero of the other sign) or both NaN."""
    return np.asarray((a == b) | (np.isnan(a) & np.isnan(b)))


def _first(name: str, got: Array, want: Array, error: Array, wrong: Array) -> Mismatch | None:
    error = np.broadcast_to(error, got.shape)
    count = int(np.count_nonzero(wrong))
    if not count:
        return None
    index = np.unravel_index(int(np.argmax(wrong)), wrong.shape)
    return Mismatch(
        name,
        tuple(int(i) for i in index),
        float(got[index]),
        float(want[index]),
        float(error[index]),
        count,
        wrong.size,
    )


@dataclass(frozen=True)
class Pair:
    """Two trees held against each other."""

    left: str
    right: str
    max_ulp: float
    mismatch: Mismatch | None


def against_each_other(
    name: str, outputs: Sequence[tuple[str, Array]], want: Bounded, dtype: DType
) -> list[Pair]:
    """Every pair of trees: bit for bit where the reference is exact, else within both bounds together."""
    pairs = []
    for i, (left, a) in enumerate(outputs):
        for right, b in outputs[i + 1 :]:
            x, y = to_float64(a), to_float64(b)
            limit = 2.0 * want.error
            with np.errstate(invalid="ignore"):
                off = np.abs(x - y)
                wrong = ~_same(x, y) & ~(off <= limit)
                distance = np.where(np.isfinite(off), off / ulp(want.value, dtype), 0.0)
            mismatch = _first(name, x, y, limit, wrong)
            pairs.append(Pair(left, right, float(distance.max()), mismatch))
    return pairs
