"""Reductions across threads, warps and vector registers."""

from __future__ import annotations

import numpy as np
import pytest

from .bench import DTYPES, Array, Bench, half_ulp

ROWS, COLS = 37, 1000


def numbers(rng: np.random.Generator, shape: tuple[int, ...], dtype: str) -> Array:
    return (rng.standard_normal(shape) * 2).astype(np.float32).astype(DTYPES[dtype])


def rms(x: Array) -> Array:
    v = x.astype(np.float64)
    return v / np.sqrt((v * v).mean(axis=1, keepdims=True) + 1e-6)


def assert_rounded_once(found: Array, expected: Array, float32_roundings: int) -> None:
    """The output's own rounding, after at most so many in float32."""
    error = np.abs(found.astype(np.float64) - expected)
    bound = half_ulp(expected, found.dtype) + float32_roundings * 2**-24 * np.abs(expected)
    assert np.all(error <= bound), f"{np.max(error / bound)} of the bound"


@pytest.mark.parametrize("dtype", DTYPES)
def test_rmsnorm_by_threads(bench: Bench, rng: np.random.Generator, dtype: str) -> None:
    x, w = numbers(rng, (ROWS, COLS), dtype), numbers(rng, (COLS,), dtype)
    vec = 2 if dtype == "float32" else 4
    found = bench.clean(
        "norms", "rmsnorm", {"X": x, "W": w}, {"Y": (x.dtype, x.shape)}, dt=dtype, vec=vec
    )
    # The sum of 1000 squares in a tree of depth 10, then mean, rsqrt and two products.
    assert_rounded_once(found["Y"], rms(x) * w.astype(np.float64), 16)


def test_rmsnorm_in_vector_registers(bench: Bench, rng: np.random.Generator) -> None:
    x = numbers(rng, (ROWS, COLS), "bfloat16")
    found = bench.clean("norms", "rmsnorm_simd", {"X": x}, {"Y": (x.dtype, x.shape)})
    assert_rounded_once(found["Y"], rms(x), 24)


def test_softmax_by_threads(bench: Bench, rng: np.random.Generator) -> None:
    x = numbers(rng, (ROWS, COLS), "float32")
    found = bench.clean("norms", "softmax", {"X": x}, {"Y": (x.dtype, x.shape)})
    below = x.astype(np.float64) - x.max(axis=1, keepdims=True)
    e = np.exp(below)
    # The difference is rounded before exp: one more rounding for each unit of it.
    assert_rounded_once(found["Y"], e / e.sum(axis=1, keepdims=True), 14 + int(-below.min()))


def test_a_warp_sums_and_every_lane_gets_the_sum(bench: Bench, rng: np.random.Generator) -> None:
    x = rng.integers(-50, 50, (ROWS, COLS)).astype(np.float32)
    found = bench.clean("norms", "row_sum_warp", {"X": x}, {"Y": (x.dtype, (ROWS, 8))})
    np.testing.assert_array_equal(found["Y"], np.repeat(x.sum(axis=1, keepdims=True), 8, axis=1))
