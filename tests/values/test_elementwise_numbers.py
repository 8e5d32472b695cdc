"""Lengths that fill no tile, block or core, and formats that the vector unit does not add."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

from tests.product.conftest import assert_clean
from tests.values.trees import elementwise, outputs


@pytest.mark.parametrize(
    ("n", "dtype", "tile"),
    [
        (4097, "float32", 1024),
        (13243, "float32", 2048),
        (65536, "float32", 1024),
        (11, "float16", None),
        (520, "float16", 128),
    ],
)
def test_lengths_beside_their_tiles(n: int, dtype: str, tile: int | None) -> None:
    more = {} if tile is None else {"tile": tile}
    assert_clean(elementwise("x * y + x", dtype, n, **more))


def test_bfloat16_is_added_in_float32() -> None:
    """Sums between two bfloat16 numbers go to the even one, as one rounding of the exact sum does."""
    rng = np.random.default_rng(5)
    x = rng.standard_normal(3000).astype(ml_dtypes.bfloat16)
    y = (rng.standard_normal(3000) * 2.0 ** rng.integers(-9, 9, 3000)).astype(ml_dtypes.bfloat16)
    want = (x.astype(np.float32) + y.astype(np.float32)).astype(ml_dtypes.bfloat16)
    for tree, out in outputs(elementwise("x + y", "bfloat16", 3000), {"x": x, "y": y}).items():
        assert np.array_equal(out.view(np.uint16), want.view(np.uint16)), tree
