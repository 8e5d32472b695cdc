"""Rows that overflow, cancel, vanish, or fill no block."""

from __future__ import annotations

import numpy as np
import pytest

from gen.errors import GenError
from gen.plan import plan
from tests.product.conftest import assert_clean
from tests.values.trees import norm, outputs


def rms(x: np.ndarray, eps: float) -> np.ndarray:
    wide = x.astype(np.float64)
    return wide / np.sqrt((wide * wide).mean(1, keepdims=True) + eps)


def test_squares_beyond_half() -> None:
    """1000 squared is no half: computed in half the root is infinite and the row is zero."""
    x = np.where(np.arange(3 * 37).reshape(3, 37) % 3 == 1, -1000, 1000).astype(np.float16)
    for tree, y in outputs(norm(3, 37, "float16"), {"x": x}).items():
        assert np.array_equal(y, np.sign(x)), tree


@pytest.mark.parametrize(
    ("rows", "cols", "dtype"),
    [(1997, 3037, "float16"), (3, 4096, "float16"), (3, 4112, "float16"), (5, 16384, "float32")],
)
def test_row_lengths(rows: int, cols: int, dtype: str) -> None:
    assert_clean(norm(rows, cols, dtype))


def test_a_row_too_long_for_every_chip_is_refused_with_the_bytes() -> None:
    """32768 floats in and out do not fit any UB: the error says so for each tree, before anything runs."""
    with pytest.raises(GenError) as refused:
        plan(norm(2, 32768, "float32"))
    assert [d.code for d in refused.value.diagnostics] == ["E201"] * 3
    assert all("[1 x 32768] float32 = 131072 bytes" in d.message for d in refused.value.diagnostics)


def test_an_offset_larger_than_the_rest() -> None:
    """Rows of 1e4 and a little: y is near one, and the little must survive the sum of 3000 squares."""
    rng = np.random.default_rng(7)
    x = (1e4 + rng.standard_normal((5, 3000))).astype(np.float32)
    want = rms(x, 1e-6)
    for tree, y in outputs(norm(5, 3000), {"x": x}).items():
        assert np.abs(y - want).max() < 3000 * 2.0**-24, tree
        # A common factor may be off by the sum's rounding; the differences inside a row are not.
        inner = y / y.mean(1, keepdims=True, dtype=np.float64) - want / want.mean(1, keepdims=True)
        assert np.abs(inner).max() < 4 * 2.0**-24, tree


def test_a_row_of_zeros() -> None:
    """sqrt(0 + 1e-12) is 1e-6 and 0 / 1e-6 is 0; where eps is lost, it is NaN."""
    x = np.zeros((4, 100), np.float32)
    x[1] = 1e-6
    x[3] = -2.0
    want = rms(x, 1e-12)
    for tree, y in outputs(norm(4, 100, eps=1e-12), {"x": x}).items():
        assert np.array_equal(y[0], x[0]), tree
        assert np.array_equal(y[2], x[2]), tree
        assert np.allclose(y, want, rtol=1e-6, atol=0), tree


@pytest.mark.parametrize(("rows", "cols"), [(512, 2), (333, 1), (64, 3)])
def test_rows_narrower_than_a_block(rows: int, cols: int) -> None:
    """Each row gets numbers of its own: rows that share a block of 32 bytes are told apart."""
    x = (np.arange(rows * cols).reshape(rows, cols) % 97 + 1).astype(np.float32)
    want = rms(x, 1e-6)
    for tree, y in outputs(norm(rows, cols), {"x": x}).items():
        assert np.allclose(y, want, rtol=4 * 2.0**-24, atol=0), tree
