"""The tensors of a call against those that the kernel declares."""

from __future__ import annotations

import numpy as np

from gen.check.foreign.script_tensors import misfit
from gen.compile.a_tree import Tensor

X = Tensor("x", "float32", ("M", "N"))


def of(rows: int, columns: int) -> np.ndarray:
    return np.zeros((rows, columns), np.float32)


def test_a_name_has_one_value() -> None:
    other = Tensor("y", "float32", ("M", "N"))
    assert misfit([X, other], {"x": of(8, 4), "y": of(8, 4)}) == ""
    assert misfit([X, other], {"x": of(8, 4), "y": of(8, 8)}) == (
        "takes y as float32[M, N], and is given float32[8, 8], and M is 8, N is 4"
    )


def test_a_computed_extent_is_a_least_one() -> None:
    half = Tensor("y", "float32", ("M", "N // 2"))
    assert misfit([X, half], {"x": of(8, 4), "y": of(8, 2)}) == ""
    assert misfit([X, half], {"x": of(8, 4), "y": of(8, 4)}) == ""
    assert misfit([X, half], {"x": of(8, 4), "y": of(8, 1)}) == (
        "takes y as float32[M, N // 2], and is given float32[8, 1], and M is 8"
    )
