"""UB to L1, stores that combine in global memory, single elements, and flags written by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from .bench import DTYPES, Array, Bench, report

F16, F32, BF16 = DTYPES["float16"], DTYPES["float32"], DTYPES["bfloat16"]


def integers(rng: np.random.Generator, shape: tuple[int, ...], dtype: Any) -> Array:
    return rng.integers(-4, 5, shape).astype(F32).astype(dtype)


def test_vector_cores_feed_the_cube_through_l1(bench: Bench, rng: np.random.Generator) -> None:
    a, b = integers(rng, (256, 128), BF16), integers(rng, (128, 128), BF16)
    found = bench.clean(
        "transfers", "relu_then_product", {"A": a, "B": b}, {"C": (F32, (256, 128))}
    )
    expected = np.maximum(a.astype(F32), 0) @ b.astype(F32).T
    np.testing.assert_array_equal(found["C"], expected)


@pytest.mark.parametrize(
    ("op", "dtype", "expected"),
    [
        ("add", "float32", lambda a, c: a.sum(axis=0) + c),
        ("max", "float16", lambda a, c: np.maximum(a.max(axis=0), c)),
        ("min", "int32", lambda a, c: np.minimum(a.min(axis=0), c)),
    ],
)
def test_stores_of_several_blocks_combine(
    bench: Bench, rng: np.random.Generator, op: str, dtype: str, expected: Any
) -> None:
    a = rng.integers(-50, 50, (4, 1024)).astype(dtype)
    c = rng.integers(-50, 50, 1024).astype(dtype)
    found = bench.clean("transfers", "add_up", {"A": a}, {}, inout={"C": c}, op=op, dt=dtype)
    np.testing.assert_array_equal(found["C"], expected(a, c))


def test_atomic_sums_of_threads_in_global_memory(bench: Bench, rng: np.random.Generator) -> None:
    a, start = rng.integers(-9, 10, 1024).astype(F32), rng.integers(-9, 10, 8).astype(F32)
    found = bench.clean("simt", "atomics", {"A": a}, {"C": (F32, (4, 8))}, inout={"S": start})
    np.testing.assert_array_equal(found["C"], a.reshape(4, 32, 8).sum(axis=1))
    np.testing.assert_array_equal(found["S"], start + a.reshape(128, 8).sum(axis=0))


def test_the_scalar_unit_writes_single_elements(bench: Bench) -> None:
    a = np.arange(8, dtype=np.int32)
    found = bench.clean("transfers", "single_elements", {"A": a}, {"C": (a.dtype, a.shape)})
    np.testing.assert_array_equal(found["C"], a * 2 + 1)


def test_flags_and_cores_written_by_hand(bench: Bench, rng: np.random.Generator) -> None:
    a, b = integers(rng, (256, 256), F16), integers(rng, (128, 256), F16)
    found = bench.clean(
        "transfers",
        "by_hand",
        {"A": a, "B": b},
        {"C": (F32, (256, 128))},
        pass_configs={"tl.enable_auto_schedule": False},
    )
    np.testing.assert_array_equal(found["C"], np.maximum(a.astype(F32) @ b.astype(F32).T, 0))


def test_a_store_that_adds_needs_the_right_type(bench: Bench, rng: np.random.Generator) -> None:
    """Two blocks that overwrite each other are a mistake; that is what the atomic mode is for."""
    a = rng.integers(-50, 50, (4, 1024)).astype(F32)
    lowered = bench.lower("transfers", "add_up", {"A": a, "C": a[0]})
    plain = lowered.source.replace("asc_set_atomic_add_float();", "")
    run = bench.run_source(lowered, plain, {"A": a}, {}, inout={"C": a[0]})[1]
    assert "output-written-twice" in [f.code for f in run.errors], report(run)
