"""Loads, Mmad and Fixpipe place every element where the layouts of the Cube want it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.face_ascendc.harness import build, run, said

M, N, K = 32, 64, 96
PLAIN, RELU, NZ, BIAS, SOURCE, GEMV, DN, RUNS = range(8)
NAMES = ["plain", "relu", "nz", "bias", "bias table", "gemv", "dn2nz", "runs of fractals"]


@dataclass(frozen=True)
class Types:
    """C names of the operands, the accumulator and the result, and the same for NumPy."""

    operand: str
    accumulator: str
    result: str

    @property
    def arrays(self) -> tuple[np.dtype[Any], np.dtype[Any], np.dtype[Any]]:
        names = {"half": np.float16, "bfloat16_t": ml_dtypes.bfloat16, "float": np.float32}
        names |= {"int8_t": np.int8, "int32_t": np.int32}
        return (
            np.dtype(names[self.operand]),
            np.dtype(names[self.accumulator]),
            np.dtype(names[self.result]),
        )


HALF = Types("half", "float", "float")
HALF_OUT = Types("half", "float", "half")
BF16 = Types("bfloat16_t", "float", "bfloat16_t")
INT8 = Types("int8_t", "int32_t", "int32_t")
FLOAT = Types("float", "float", "float")

CASES = [
    (chip, types, form)
    for chip in ("910b", "950")
    for types in (HALF, HALF_OUT, BF16, INT8, FLOAT)
    for form in range(8)
    # An Ascend 910B turns no 4-byte fractals on the way to L0B, has no DN2NZ, and loads every tile in runs.
    if chip == "950" or (types is not FLOAT and form not in (DN, RUNS))
    # A run of fractals is turned in 2-byte elements only.
    if form != RUNS or types.operand in ("half", "bfloat16_t")
]


def operands(types: Types, form: int) -> list[NDArray[Any]]:
    rng = np.random.default_rng(form)
    shapes = [(1 if form == GEMV else M, K), (K, N), (N,)]
    source, accumulator, _ = types.arrays
    if types is INT8:
        return [
            rng.integers(-100, 100, s).astype(t)
            for s, t in zip(shapes, [source, source, accumulator], strict=True)
        ]
    return [
        rng.standard_normal(s).astype(t)
        for s, t in zip(shapes, [source, source, accumulator], strict=True)
    ]


def expected(a: NDArray[Any], b: NDArray[Any], bias: NDArray[Any], form: int) -> NDArray[Any]:
    exact: NDArray[Any] = a.astype(np.float64) @ b.astype(np.float64)
    if form == RELU:
        exact = np.maximum(exact, 0)
    if form in (BIAS, SOURCE):
        exact = exact + bias
    return exact


@pytest.mark.parametrize(
    ("chip", "types", "form"),
    CASES,
    ids=[f"{c}-{t.operand}-{t.result}-{NAMES[f]}" for c, t, f in CASES],
)
def test_a_product_from_l1_to_global_memory(chip: str, types: Types, form: int) -> None:
    program = build(
        "cube_forms",
        chip,
        OPERAND=types.operand,
        ACCUMULATOR=types.accumulator,
        RESULT=types.result,
    )
    a, b, bias = operands(types, form)
    stored = np.ascontiguousarray(b.T) if form == DN else b
    rows = len(a)
    inputs = {"a": a, "b": stored, "bias": bias}
    out, done = run(program, chip, (str(form),), inputs, {"c": (types.arrays[2], (rows * N,))})
    assert done.clean, said(done)
    c = out["c"].astype(np.float64)
    c = (
        c.reshape(N // 16, rows, 16).transpose(1, 0, 2).reshape(rows, N)
        if form == NZ
        else c.reshape(rows, N)
    )
    exact = expected(a, b, bias, form)
    if types is INT8:
        assert np.array_equal(c, exact)
        return
    spread = np.abs(a).astype(np.float64) @ np.abs(b).astype(np.float64) + np.abs(bias)
    half_ulp = float(ml_dtypes.finfo(types.arrays[2]).eps) / 2
    sums = (K + 1) * 2.0**-24 * spread
    assert np.all(np.abs(c - exact) <= sums + half_ulp * (np.abs(exact) + sums))
