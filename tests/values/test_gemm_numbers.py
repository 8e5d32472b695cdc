"""Products whose sizes and values show a wrong pad, a wrong transposition, a wrong start of the sum."""

from __future__ import annotations

import numpy as np
import pytest

from gen.check.formats import numpy_dtype
from gen.errors import GenError
from gen.spec import DType, loads
from tests.product.conftest import assert_clean
from tests.values.trees import gemm, outputs

NATIVE_TILE = {"m": 16, "n": 16, "k": 32}


@pytest.mark.parametrize(
    ("m", "n", "k", "dtype"), [(100, 40, 200, "float16"), (20, 24, 24, "float32")]
)
def test_k_that_leaves_part_of_a_block(m: int, n: int, k: int, dtype: str) -> None:
    assert_clean(gemm(m, n, k, dtype, tile=NATIVE_TILE, transpose_b=True))


@pytest.mark.parametrize(
    ("m", "n", "k"), [(15, 13, 47), (17, 29, 65), (33, 18, 127), (31, 7, 95), (250, 250, 250)]
)
def test_shapes_with_tails_everywhere(m: int, n: int, k: int) -> None:
    assert_clean(gemm(m, n, k, "bfloat16", c="float32"))


def test_fewer_tiles_than_cores() -> None:
    assert_clean(gemm(512, 512, 512, tile={"m": 128, "n": 256, "k": 64}))


def test_no_k_is_refused_and_no_instruction() -> None:
    text = "kind: gemm\nname: g\nm: 16\nn: 16\nk: 0\na: float16\nb: float16\nc: float16\n"
    with pytest.raises(GenError, match=r"E113[\s\S]*`k` must be"):
        loads(text, "g.yaml")


@pytest.mark.parametrize("transpose_b", [False, True])
def test_rows_and_columns_keep_their_places(transpose_b: bool) -> None:
    """Each column of C is one column of A, told by B: a wrong order shows in every element."""
    m, n, k = 22, 37, 53
    row, column = np.indices((m, k))
    a = (row * 60 + column).astype(np.float16)
    picked = (np.arange(n) * 17 + 5) % k
    b = np.zeros((k, n), np.float16)
    b[picked, np.arange(n)] = 1
    spec = gemm(m, n, k, transpose_b=transpose_b)
    for tree, c in outputs(spec, {"A": a, "B": b.T.copy() if transpose_b else b}).items():
        assert np.array_equal(c, a[:, picked]), tree


def test_a_tile_of_nan_leaves_nothing_in_l0c() -> None:
    """More tiles than cores: a core that computed NaN goes on to a tile that must be right."""
    m, n, k, tile = 1600, 16, 32, 16
    rng = np.random.default_rng(3)
    a, b = (rng.integers(-4, 5, s).astype(np.float16) for s in ((m, k), (k, n)))
    spoiled = (np.arange(m) // tile) % 3 == 0
    a[spoiled] = np.nan
    with np.errstate(invalid="ignore"):
        want = a.astype(np.float32) @ b.astype(np.float32)
    spec = gemm(m, n, k, tile={"m": tile, "n": 16, "k": 32})
    for tree, c in outputs(spec, {"A": a, "B": b}).items():
        assert np.isnan(c[spoiled]).all(), tree
        assert np.array_equal(c[~spoiled], want[~spoiled].astype(numpy_dtype(DType.FLOAT16))), tree


def test_a_single_element_of_k_counts() -> None:
    """A = 1 at one k, B = row pattern: a dropped last element of K is a row of zeros."""
    m, n, k = 17, 19, 95
    a = np.zeros((m, k), np.float16)
    a[np.arange(m), k - 1 - np.arange(m)] = 1
    b = (np.arange(k)[:, None] * 20 + np.arange(n)[None, :]).astype(np.float16)
    spec = gemm(m, n, k, tile=NATIVE_TILE)
    for tree, c in outputs(spec, {"A": a, "B": b}).items():
        assert np.array_equal(c, b[k - 1 - np.arange(m)]), tree
