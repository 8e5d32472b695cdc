"""Elementwise kernels give the right number in every lane, tails and odd rows included, and no finding."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from .bench import DTYPES, Array, Bench, half_ulp

SHAPE = (100, 1001)  # tails in both directions, and rows of an odd number of elements

Operator = Callable[..., Any]

BINARY: dict[str, Operator] = {
    "ADD": np.add,
    "SUB": np.subtract,
    "MUL": np.multiply,
    "DIV": np.divide,
    "MAX": np.maximum,
    "MIN": np.minimum,
}
EXACT: dict[str, Operator] = {
    "RELU": lambda x: np.maximum(x, 0),
    "SQRT": lambda x: np.sqrt(np.abs(x)),
}
TRANSCENDENTAL: dict[str, Operator] = {
    "EXP": np.exp,
    "SILU": lambda x: x / (1 + np.exp(-x)),
    "TANH": np.tanh,
    "ERF": np.vectorize(math.erf),
}
OF_FUNCTION = {"unary_simt": ("EXP", "SILU", "TANH", "ERF"), "unary_simd": ("EXP", "SILU")}


def numbers(rng: np.random.Generator, dtype: str) -> Array:
    """Within [-8, 8], so that exp fits a half."""
    return np.clip(rng.standard_normal(SHAPE) * 3, -8, 8).astype(np.float32).astype(DTYPES[dtype])


def outputs(names: Any, dtype: str) -> dict[str, tuple[np.dtype[Any], tuple[int, ...]]]:
    return dict.fromkeys(names, (DTYPES[dtype], SHAPE))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("function", OF_FUNCTION)
def test_unary_operators(bench: Bench, rng: np.random.Generator, function: str, dtype: str) -> None:
    a = numbers(rng, dtype)
    names = (*EXACT, *OF_FUNCTION[function])
    found = bench.clean("elementwise", function, {"A": a}, outputs(names, dtype), dt=dtype)
    x = a.astype(np.float64)
    for name, operator in EXACT.items():
        expected = operator(x).astype(np.float32).astype(a.dtype)
        np.testing.assert_array_equal(found[name], expected, err_msg=name)
    for name in OF_FUNCTION[function]:
        expected = TRANSCENDENTAL[name](x)
        error = np.abs(found[name].astype(np.float64) - expected)
        # The output is rounded once; before that float32 rounds exp, the sum and the quotient.
        assert np.all(error <= half_ulp(expected, a.dtype) + 3 * 2**-24 * np.abs(expected)), name


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("function", ["binary_simt", "binary_simd"])
def test_binary_operators(
    bench: Bench, rng: np.random.Generator, function: str, dtype: str
) -> None:
    a, b = numbers(rng, dtype), numbers(rng, dtype)
    b[b == 0] = 1
    found = bench.clean("elementwise", function, {"A": a, "B": b}, outputs(BINARY, dtype), dt=dtype)
    for name, operator in BINARY.items():
        with np.errstate(over="ignore"):
            expected = operator(a.astype(np.float32), b.astype(np.float32)).astype(a.dtype)
        np.testing.assert_array_equal(found[name], expected, err_msg=name)


def test_a_flat_tensor_of_any_length(bench: Bench, rng: np.random.Generator) -> None:
    a = rng.standard_normal(100_003).astype(np.float16)
    found = bench.clean("elementwise", "relu_flat", {"A": a}, {"C": (a.dtype, a.shape)})
    np.testing.assert_array_equal(found["C"], np.maximum(a, 0))


def test_a_vector_conversion_saturates_where_a_thread_overflows(bench: Bench) -> None:
    big = np.full(SHAPE, 20, np.float16)
    names = (*EXACT, *OF_FUNCTION["unary_simd"])
    by_register = bench.clean(
        "elementwise", "unary_simd", {"A": big}, outputs(names, "float16"), dt="float16"
    )
    names = (*EXACT, *OF_FUNCTION["unary_simt"])
    by_thread = bench.clean(
        "elementwise", "unary_simt", {"A": big}, outputs(names, "float16"), dt="float16"
    )
    assert np.all(by_register["EXP"] == 65504)
    assert np.all(np.isinf(by_thread["EXP"]))
