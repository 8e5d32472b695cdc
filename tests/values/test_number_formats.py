"""Conversions, reductions and int8 in small kernels, each in every tree that can say it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from gen.check import Outcome
from gen.check.foreign import RunOptions, run_file
from tests.product.conftest import a_tree_reason
from tests.values.trees import KERNELS, run_kernel

needs_a_tree = pytest.mark.skipif(bool(a_tree_reason()), reason=a_tree_reason())


def in_each_tree(name: str) -> pytest.MarkDecorator:
    """The Ascend C kernel on both chips, and the kernels of the TileLang trees beside it."""
    cases = [pytest.param(f"{name}.asc", chip, id=f"Ascend C {chip}") for chip in ("910b", "950")]
    cases += [pytest.param(f"{name}_a.py", None, id="A tree", marks=needs_a_tree)]
    cases += [pytest.param(f"{name}_m.py", None, id="M tree")]
    return pytest.mark.parametrize(("kernel", "chip"), cases)


@in_each_tree("in_place")
def test_in_place(kernel: str, chip: str | None) -> None:
    x = np.random.default_rng(1).standard_normal(1000).astype(np.float32)
    assert np.array_equal(run_kernel(kernel, chip, x=x), x * np.float32(3))


@in_each_tree("max_of_five")
def test_the_largest_of_five_negatives_is_negative(kernel: str, chip: str | None) -> None:
    """Five numbers fill part of a block: a pad of zeros would win."""
    x = np.array([-5, -3.5, -70, -2.25, -9], np.float32)
    assert run_kernel(kernel, chip, x=x.reshape(1, 5) if kernel.endswith("_a.py") else x) == -2.25


@in_each_tree("scaled_accumulator")
def test_a_scaled_accumulator_keeps_its_fraction(kernel: str, chip: str | None) -> None:
    """37 * 0.01 is 0.37: a scale or a sum that becomes an integer on the way leaves 0."""
    sums = np.arange(-27, 37, dtype=np.int32)
    sums[-1] = 37
    y = run_kernel(kernel, chip, x=sums)
    assert np.array_equal(y, sums.astype(np.float32) * np.float32(0.01))
    assert abs(y[-1] - 0.37) < 2.0**-25


@in_each_tree("int8_to_half")
def test_int8_of_33_elements(kernel: str, chip: str | None) -> None:
    x = np.linspace(-128, 127, 33).astype(np.int8)
    assert np.array_equal(run_kernel(kernel, chip, x=x), x.astype(np.float16))


@pytest.mark.parametrize(
    "kernel", ["int8_k80.asc", pytest.param("int8_k80_a.py", marks=needs_a_tree)]
)
def test_int8_with_k_of_80_in_blocks_of_32(kernel: str) -> None:
    """The last block of K holds 16 numbers and 16 zeros. The M tree keeps L0C in float32 only."""
    rng = np.random.default_rng(2)
    a, b = (rng.integers(-128, 128, (16, 80)).astype(np.int8) for _ in range(2))
    want = a.astype(np.int32) @ b.astype(np.int32).T
    assert np.array_equal(run_kernel(kernel, a=a, b=b), want)


def test_outputs_start_as_nan() -> None:
    """What a kernel does not store is NaN, and not what a lucky buffer held."""
    verdict = run_file(Path(KERNELS, "half_stored.asc"), RunOptions())
    assert verdict.outcome is Outcome.FINDINGS
    assert [f.code for f in verdict.errors] == ["output-not-written"]
    (y,) = (o.values for o in verdict.outputs)
    assert not np.isnan(y[:64]).any()
    assert np.isnan(y[64:]).all()
