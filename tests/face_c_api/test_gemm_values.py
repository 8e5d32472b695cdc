"""Matrix products are exact on small integers, whatever the shape: tiles of any format, tails in M, N and K."""

from __future__ import annotations

import numpy as np
import pytest

from .bench import DTYPES, FLOAT8, Array, Bench

FULL = (256, 384, 256)
TAILS = (200, 301, 200)
SMALL = (17, 33, 40)


def integers(rng: np.random.Generator, shape: tuple[int, ...], dtype: str) -> Array:
    return rng.integers(-4, 5, shape).astype(np.float32).astype(DTYPES[dtype])


def product(a: Array, b: Array) -> Array:
    return a.astype(np.float32) @ b.astype(np.float32)


def step(dtype: str) -> int:
    return 32 if dtype == "float32" else 64


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [FULL, TAILS])
def test_a_product_with_transposed_b(
    bench: Bench, rng: np.random.Generator, dtype: str, shape: tuple[int, int, int]
) -> None:
    m, n, k = shape
    a, b = integers(rng, (m, k), dtype), integers(rng, (n, k), dtype)
    out = bench.clean(
        "gemm",
        "gemm_nt",
        {"A": a, "B": b},
        {"C": (DTYPES["float32"], (m, n))},
        dt=dtype,
        bK=step(dtype),
    )
    np.testing.assert_array_equal(out["C"], product(a, b.T))


@pytest.mark.parametrize("dtype", DTYPES)
def test_b_transposed_by_the_copy_into_l1(
    bench: Bench, rng: np.random.Generator, dtype: str
) -> None:
    m, n, k = TAILS
    a, b = integers(rng, (m, k), dtype), integers(rng, (k, n), dtype)
    out = bench.clean(
        "gemm",
        "gemm_dn",
        {"A": a, "B": b},
        {"C": (DTYPES["float32"], (m, n))},
        dt=dtype,
        bK=step(dtype),
    )
    np.testing.assert_array_equal(out["C"], product(a, b))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("trans", [False, True])
def test_operands_placed_in_l0_by_the_kernel(
    bench: Bench, rng: np.random.Generator, dtype: str, trans: bool
) -> None:
    m, n, k = TAILS
    a, b = integers(rng, (m, k), dtype), integers(rng, (n, k) if trans else (k, n), dtype)
    tile = {"bN": 128, "bK": 128} if dtype == "float32" else {}
    out = bench.clean(
        "gemm",
        "gemm_l0",
        {"A": a, "B": b},
        {"C": (DTYPES["float32"], (m, n))},
        dt=dtype,
        trans=trans,
        **tile,
    )
    np.testing.assert_array_equal(out["C"], product(a, b.T if trans else b))


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_results_are_rounded_once_on_the_way_out(
    bench: Bench, rng: np.random.Generator, dtype: str
) -> None:
    m, n, k = SMALL
    a = integers(rng, (m, k), dtype) * DTYPES[dtype].type(33)
    b = integers(rng, (n, k), dtype)
    out = bench.clean(
        "gemm", "gemm_nt", {"A": a, "B": b}, {"C": (DTYPES[dtype], (m, n))}, dt=dtype, odt=dtype
    )
    expected = product(a, b.T)
    assert np.any(expected.astype(DTYPES[dtype]).astype(np.float32) != expected)
    np.testing.assert_array_equal(out["C"], expected.astype(DTYPES[dtype]))


def test_8_bit_integers(bench: Bench, rng: np.random.Generator) -> None:
    m, n, k = TAILS
    a, b = (rng.integers(-128, 128, shape).astype(np.int8) for shape in ((m, k), (n, k)))
    out = bench.clean(
        "gemm",
        "gemm_nt",
        {"A": a, "B": b},
        {"C": (np.dtype(np.int32), (m, n))},
        dt="int8",
        acc="int32",
        odt="int32",
        bK=128,
    )
    np.testing.assert_array_equal(out["C"], a.astype(np.int32) @ b.astype(np.int32).T)


@pytest.mark.parametrize("shape", [FULL, TAILS])
def test_8_bit_floats(bench: Bench, rng: np.random.Generator, shape: tuple[int, int, int]) -> None:
    """Quarters up to 4: the sums are exact."""
    m, n, k = shape
    some = np.array([0, 0.25, 0.5, 1, -1.5, 2, -3, 4], np.float32)
    a, b = (rng.choice(some, size).astype(FLOAT8) for size in ((m, k), (n, k)))
    out = bench.clean(
        "gemm",
        "gemm_nt",
        {"A": a, "B": b},
        {"C": (DTYPES["float32"], (m, n))},
        dt="float8_e4m3fn",
        bK=128,
    )
    np.testing.assert_array_equal(out["C"], product(a, b.T))


@pytest.mark.parametrize("mode", ["nearest_even", "nearest_zero"])
def test_floats_rounded_to_hf32(bench: Bench, rng: np.random.Generator, mode: str) -> None:
    """HF32 keeps 11 digits: odd numbers of 12 digits are ties, which one mode rounds to even and the other away."""
    m, n, k = TAILS
    a = (2049 + 2 * rng.integers(0, 1023, (m, k))).astype(np.float32)
    b = rng.choice([0, 1, -1], (n, k), p=[0.9, 0.05, 0.05]).astype(np.float32)
    out = bench.clean(
        "gemm",
        "gemm_nt",
        {"A": a, "B": b},
        {"C": (DTYPES["float32"], (m, n))},
        dt="float32",
        bK=32,
        hf32=mode,
    )
    rounded = 2 * (np.rint(a / 2) if mode == "nearest_even" else np.floor(a / 2 + 0.5))
    np.testing.assert_array_equal(out["C"], product(rounded, b.T))


@pytest.mark.parametrize("split", ["m", "n"])
@pytest.mark.parametrize("shape", [(256, 256, 256), (250, 301, 200)])
def test_an_epilogue_on_both_vector_cores(
    bench: Bench, rng: np.random.Generator, split: str, shape: tuple[int, int, int]
) -> None:
    m, n, k = shape
    a, b = integers(rng, (m, k), "bfloat16"), integers(rng, (n, k), "bfloat16")
    bias, residual = integers(rng, (n,), "bfloat16"), integers(rng, (m, n), "float32")
    out = bench.clean(
        "gemm",
        "gemm_epilogue",
        {"A": a, "B": b, "bias": bias, "R": residual},
        {"C": (DTYPES["float32"], (m, n))},
        split=split,
    )
    before = product(a, b.T) + (bias.astype(np.float32) if split == "m" else 0)
    np.testing.assert_array_equal(out["C"], np.maximum(before, 0) + residual)
