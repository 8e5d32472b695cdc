"""Every form of a vector call touches the elements that its masks and strides name, and no others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.face_ascendc.harness import CHIPS, build, run, said

LENGTH = 4096
Vector = NDArray[Any]


def repeats(count: int, block: int, repeat: int, size: int) -> NDArray[np.intp]:
    """Element indices [repeat, lane] of `count` repeats, strides in blocks of 32 bytes."""
    per_block = 32 // size
    r, b, e = np.ogrid[:count, :8, :per_block]
    where: NDArray[np.intp] = r * repeat * per_block + b * block * per_block + e
    return where.reshape(count, -1)


def dense(count: int, size: int) -> NDArray[np.intp]:
    return repeats(count, 1, 8, size)


def put(z: Vector, where: Any, values: Any) -> None:
    z[where] = values


def brcb(z: Vector, x: Vector) -> None:
    per_block = 32 // x.itemsize
    z[: 24 * per_block] = np.repeat(x[:24], per_block)


def data_copy(z: Vector, x: Vector) -> None:
    block = 32 // x.itemsize
    for run_ in range(3):
        z[run_ * 6 * block :][: 2 * block] = x[run_ * 3 * block :][: 2 * block]


def select(z: Vector, x: Vector, y: Vector) -> None:
    z[:512] = np.where(x[:512] < y[:512], x[:512], y[:512])
    z[512:1024] = np.where(x[:512] >= 0, x[:512], 9)


def fused(z: Vector, x: Vector, y: Vector | float, count: int) -> None:
    """x * y - 1, rounded once: z starts at -1."""
    wide = y[:count].astype(np.float64) if isinstance(y, np.ndarray) else y
    z[:count] = x[:count].astype(np.float64) * wide - 1


# Number in vector_forms.asc -> what the call does to z, which starts at -1.
Form = Callable[[Vector, Vector, Vector, int, int], None]
EXACT: dict[int, Form] = {
    0: lambda z, x, y, s, n: put(z, slice(1000), (x + y)[:1000]),
    1: lambda z, x, y, s, n: put(z, i := dense(5, s)[:, : n - 3], x[i] - y[i]),
    2: lambda z, x, y, s, n: put(z, i := dense(3, s)[:, 1::2], x[i] * y[i]),
    3: lambda z, x, y, s, n: put(z, dense(4, s), np.maximum(x[i := repeats(4, 2, 17, s)], y[i])),
    4: lambda z, x, y, s, n: put(z, i := dense(4, s), x[i] / y[repeats(4, 0, 1, s)]),
    5: lambda z, x, y, s, n: put(z, slice(2 * n + 5), np.minimum(x, y)[: 2 * n + 5]),
    6: lambda z, x, y, s, n: put(z, i := dense(2, s)[:, :8], x[i] + y[i]),
    7: lambda z, x, y, s, n: put(z, i := dense(2, s)[:, : n - 1], x[i] + x.dtype.type(2.5)),
    8: lambda z, x, y, s, n: put(z, slice(77), x[:77] * x.dtype.type(-3)),
    9: lambda z, x, y, s, n: fused(z, x, 2.0, 100),
    10: lambda z, x, y, s, n: put(z, i := dense(2, s)[:, 1::2], np.maximum(x[i], 0)),
    11: lambda z, x, y, s, n: put(z, dense(2, s)[:, 1::2], 7),
    12: lambda z, x, y, s, n: put(z, repeats(3, 1, 16, s), x[dense(3, s)]),
    13: lambda z, x, y, s, n: brcb(z, x),
    14: lambda z, x, y, s, n: data_copy(z, x),
    15: lambda z, x, y, s, n: select(z, x, y),
    17: lambda z, x, y, s, n: put(z, 0, x[:1000].max()),
    19: lambda z, x, y, s, n: put(z, slice(6), x[dense(6, s)][:, : n - 8].max(axis=1)),
    20: lambda z, x, y, s, n: put(z, slice(48), x[dense(6, s)].reshape(48, -1).max(axis=1)),
    22: lambda z, x, y, s, n: put(z, slice(8), x[:8] + np.arange(8).astype(x.dtype)),
    23: lambda z, x, y, s, n: put(z, slice(200), np.where(x >= 0, x, x * x.dtype.type(0.5))[:200]),
    24: lambda z, x, y, s, n: fused(z, x, y, 200),
}

# Sums: number -> the rows that are added up.
SUMS: dict[int, Callable[[Vector, int, int], Vector]] = {
    16: lambda x, s, n: x[None, :1000],
    18: lambda x, s, n: x[dense(6, s)],
    21: lambda x, s, n: x[dense(6, s)].reshape(48, -1),
}

chips = pytest.mark.parametrize("chip", CHIPS)
types = pytest.mark.parametrize("dtype", [np.float32, np.float16])


def call(chip: str, dtype: type[np.floating[Any]], form: int) -> tuple[Vector, Vector, Vector]:
    rng = np.random.default_rng(form)
    x, y = (rng.standard_normal(LENGTH).astype(dtype) for _ in range(2))
    argv = ("half" if dtype is np.float16 else "float", str(form))
    program = build("vector_forms", chip)
    out, done = run(program, chip, argv, {"x": x, "y": y}, {"z": (dtype, (LENGTH,))})
    assert done.clean, said(done)
    return x, y, out["z"]


@chips
@types
@pytest.mark.parametrize("form", EXACT)
def test_a_form_writes_these_elements_exactly(
    chip: str, dtype: type[np.floating[Any]], form: int
) -> None:
    x, y, z = call(chip, dtype, form)
    expected = np.full(LENGTH, -1, dtype)
    EXACT[form](expected, x, y, x.itemsize, 256 // x.itemsize)
    assert np.array_equal(z, expected)


@chips
@types
@pytest.mark.parametrize("form", SUMS)
def test_a_sum_keeps_the_bound_of_its_additions(
    chip: str, dtype: type[np.floating[Any]], form: int
) -> None:
    x, _, z = call(chip, dtype, form)
    rows = SUMS[form](x, x.itemsize, 256 // x.itemsize).astype(np.float64)
    count = len(rows)
    half_ulp = np.finfo(dtype).eps / 2
    bound = rows.shape[1] * half_ulp * np.abs(rows).sum(axis=1)
    assert np.all(np.abs(z[:count] - rows.sum(axis=1)) <= bound)
    assert np.all(z[count:] == -1)
