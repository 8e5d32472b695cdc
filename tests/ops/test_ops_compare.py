"""Comparisons and selection."""

from __future__ import annotations

import operator

import numpy as np
import pytest

from tests.ops.ops_model import ABSENT, NUMPY, Chip, DType, Model, Space, assert_same, numbers

MODES = [operator.lt, operator.gt, operator.eq, operator.le, operator.ge, operator.ne]
A, B, D = 0, 64 * 1024, 128 * 1024


@pytest.mark.parametrize("mode", range(6), ids=["lt", "gt", "eq", "le", "ge", "ne"])
@pytest.mark.parametrize("t", [DType.F32, DType.F16, DType.BF16, DType.I32, DType.I16])
@pytest.mark.parametrize("scalar", [None, 3.0])
def test_results_are_bits_of_whole_repeats(
    a5: Model, mode: int, t: DType, scalar: float | None
) -> None:
    n = 1025  # one more than whole repeats: the last element is not compared
    dtype = NUMPY[t]
    x, y = numbers(dtype, n, 1), numbers(dtype, n, 2)
    y[: n // 2] = x[: n // 2]
    if scalar is not None:
        y[:] = dtype.type(scalar)
    dst = a5.at(Space.UB, D)
    right = a5.put(Space.UB, B, y) if scalar is None else ABSENT
    left = a5.put(Space.UB, A, x)
    (i,) = a5.run("compare", mode, t, dst, left, right, scalar is not None, scalar or 0.0, n)
    expected = np.packbits(MODES[mode](x[:1024], y[:1024]).astype(np.uint8), bitorder="little")
    assert_same(a5.get(Space.UB, D, 128, np.uint8), expected)
    assert (a5.get(Space.UB, D + 128, 32, np.uint8) == 0xFF).all()
    assert i.of(write=True)[0].box() == (1, 128, 0)


def test_dav_2201_compares_integers_for_equality_only(a2: Model) -> None:
    where = (a2.at(Space.UB, D), a2.at(Space.UB, A), a2.at(Space.UB, B))
    assert len(a2.run("compare", 2, DType.I32, *where, False, 0.0, 64)) == 1
    assert a2.run("compare", 0, DType.I32, *where, False, 0.0, 64) == []
    assert "Compare of int32 on dav-2201" in a2.findings()


@pytest.mark.parametrize("t", [DType.F32, DType.F16, DType.I8, DType.I64])
@pytest.mark.parametrize("scalar", [None, -2.5])
@pytest.mark.parametrize("n", [64, 77])
def test_a_set_bit_takes_the_first_source(
    a5: Model, t: DType, scalar: float | None, n: int
) -> None:
    dtype = NUMPY[t]
    x, y = numbers(dtype, n, 1), numbers(dtype, n, 2)
    choice = np.random.default_rng(3).integers(0, 2, n).astype(bool)
    bits = a5.put(Space.UB, 4096, np.packbits(choice.astype(np.uint8), bitorder="little"))
    right = a5.put(Space.UB, B, y) if scalar is None else ABSENT
    dst, left = a5.at(Space.UB, D), a5.put(Space.UB, A, x)
    (i,) = a5.run("select", t, dst, bits, left, right, scalar is not None, scalar or 0.0, n)
    other = y if scalar is None else np.full(n, scalar).astype(dtype)
    assert_same(a5.get(Space.UB, D, n, dtype), np.where(choice, x, other))
    assert i.of(write=False)[0].row_bytes == -(-n // 8)


def test_dav_2201_loses_the_reserved_area(a2: Model) -> None:
    """Select keeps temporaries in the last 8 KB of UB."""
    end = 192 * 1024
    a2.memory(Space.UB)[end - 8192 : end] = 1
    where = (a2.at(Space.UB, D), a2.at(Space.UB, 4096), a2.at(Space.UB, A), a2.at(Space.UB, B))
    (i,) = a2.run("select", DType.F32, *where, False, 0.0, 64)
    assert (a2.get(Space.UB, end - 8192, 8192, np.uint8) == 0xFF).all()
    assert (i.of(write=True)[1].base, i.of(write=True)[1].row_bytes) == (end - 8192, 8192)
    a2.reset(Chip.A5)
    (i,) = a2.run("select", DType.F32, *where, False, 0.0, 64)
    assert len(i.of(write=True)) == 1
