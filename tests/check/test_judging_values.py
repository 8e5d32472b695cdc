"""The judge of values accepts what the arithmetic allows and nothing else."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

from gen.check.compare import against_each_other, against_reference
from gen.check.formats import round_to, ulp
from gen.check.inputs import input_sets, make_inputs
from gen.check.reference import reference
from gen.spec import DType, ElementwiseSpec, GemmSpec, NormSpec


def elementwise(
    body: str, dtype: str = "float32", shape: tuple[int, ...] = (37, 53)
) -> ElementwiseSpec:
    names = sorted({c for c in body if c in "xyz"})
    return ElementwiseSpec.model_validate(
        {
            "name": "k",
            "shape": shape,
            "inputs": dict.fromkeys(names, dtype),
            "output": {"out": dtype},
            "body": body,
        }
    )


def gemm(dtype: str = "float16", **more: object) -> GemmSpec:
    fields: dict[str, object] = {
        "name": "g",
        "m": 65,
        "n": 43,
        "k": 507,
        "a": dtype,
        "b": dtype,
        "c": dtype,
    }
    return GemmSpec.model_validate(fields | more)


def rms(dtype: str = "bfloat16") -> NormSpec:
    return NormSpec.model_validate(
        {"name": "n", "norm": "rms", "rows": 21, "cols": 1000, "dtype": dtype, "weight": True}
    )


def judge(spec: Any, name: str, got: Any, dtype: DType) -> Any:
    return against_reference(name, got, reference(spec, make_inputs(spec))[name], dtype)


@pytest.mark.parametrize(
    "body", ["x + y", "x / y", "x * y - x", "max(x, y) * 0.3", "relu(x) + abs(y)"]
)
def test_exactly_rounded_bodies_must_agree_bit_for_bit(body: str) -> None:
    spec = elementwise(body)
    inputs = make_inputs(spec)
    f = np.float32
    good = {
        "x + y": lambda x, y: x + y,
        "x / y": lambda x, y: x / y,
        "x * y - x": lambda x, y: x * y - x,
        "max(x, y) * 0.3": lambda x, y: np.maximum(x, y) * f(0.3),
        "relu(x) + abs(y)": lambda x, y: np.maximum(x, f(0)) + np.abs(y),
    }[body](inputs["x"], inputs["y"])
    accuracy = judge(spec, "out", good, DType.FLOAT32)
    assert accuracy.exact
    assert accuracy.mismatch is None
    good[3, 5] = np.nextafter(good[3, 5], f(np.inf))
    mismatch = judge(spec, "out", good, DType.FLOAT32).mismatch
    assert mismatch.index == (3, 5)
    assert mismatch.count == 1


def test_a_contracted_multiply_add_is_not_the_spec() -> None:
    spec = elementwise("x * y + x")
    inputs = make_inputs(spec)
    x, y = inputs["x"].astype(np.float64), inputs["y"].astype(np.float64)
    assert judge(spec, "out", (x * y + x).astype(np.float32), DType.FLOAT32).mismatch is not None


def test_functions_may_be_off_by_their_ulps_and_no_more() -> None:
    spec = elementwise("exp(x)")
    x = make_inputs(spec)["x"]
    good = np.exp(x.astype(np.float64)).astype(np.float32)
    assert judge(spec, "out", good, DType.FLOAT32).mismatch is None
    off = (good.astype(np.float64) + 4 * ulp(good.astype(np.float64), DType.FLOAT32)).astype(
        np.float32
    )
    assert judge(spec, "out", off, DType.FLOAT32).mismatch is not None


def test_gemm_in_float32_is_accepted_in_any_order_of_k() -> None:
    spec = gemm()
    inputs = make_inputs(spec)
    a, b = inputs["A"].astype(np.float32), inputs["B"].astype(np.float32)
    forward = a @ b
    blocks = sum(
        (a[:, k : k + 16] @ b[k : k + 16] for k in range(0, 507, 16)), np.zeros_like(forward)
    )
    for c in (forward, blocks):
        assert judge(spec, "C", c.astype(np.float16), DType.FLOAT16).mismatch is None


def test_gemm_accumulated_in_half_precision_is_rejected() -> None:
    spec = gemm()
    inputs = make_inputs(spec)
    c = np.zeros((65, 43), np.float16)
    for k in range(507):
        c += np.outer(inputs["A"][:, k], inputs["B"][k])
    assert judge(spec, "C", c, DType.FLOAT16).mismatch is not None


def test_gemm_without_its_last_k_element_is_rejected() -> None:
    spec = gemm(c="float32")
    inputs = make_inputs(spec)
    a, b = inputs["A"].astype(np.float32), inputs["B"].astype(np.float32)
    assert judge(spec, "C", a[:, :-1] @ b[:-1], DType.FLOAT32).mismatch is not None


def test_a_gemm_with_b_not_transposed_is_rejected() -> None:
    spec = gemm(n=507, transpose_b=True)
    inputs = make_inputs(spec)
    a, b = inputs["A"].astype(np.float32), inputs["B"].astype(np.float32)
    assert judge(spec, "C", (a @ b.T).astype(np.float16), DType.FLOAT16).mismatch is None
    assert judge(spec, "C", (a @ b).astype(np.float16), DType.FLOAT16).mismatch is not None


def test_rms_norm_in_float32_is_accepted_and_with_a_missing_column_rejected() -> None:
    spec = rms("float32")
    inputs = make_inputs(spec)
    x, w = inputs["x"], inputs["weight"]

    def norm(squares: Any) -> Any:
        return x / np.sqrt(squares / np.float32(1000) + np.float32(1e-6)) * w

    squares = (x * x).sum(axis=1, keepdims=True)
    assert judge(spec, "y", norm(squares), DType.FLOAT32).mismatch is None
    short = (x[:, :-1] * x[:, :-1]).sum(axis=1, keepdims=True)
    assert judge(spec, "y", norm(short), DType.FLOAT32).mismatch is not None


def test_poison_in_an_output_is_a_mismatch() -> None:
    spec = rms()
    got = np.full((21, 1000), np.nan, ml_dtypes.bfloat16)
    assert judge(spec, "y", got, DType.BFLOAT16).mismatch.count == 21_000


def test_trees_are_held_against_each_other() -> None:
    spec = elementwise("x + y")
    inputs = make_inputs(spec)
    good = inputs["x"] + inputs["y"]
    other = good.copy()
    other[0, 1] += 1
    want = reference(spec, inputs)["out"]
    (pair,) = against_each_other("out", [("a_tree", good), ("m_tree", other)], want, DType.FLOAT32)
    assert pair.mismatch is not None
    assert pair.mismatch.index == (0, 1)


@pytest.mark.parametrize("dtype", [DType.FLOAT16, DType.BFLOAT16, DType.FLOAT32])
def test_rounding_from_float64_is_to_nearest_even(dtype: DType) -> None:
    """A value just above the middle between two neighbours must go up; twofold rounding would lose it."""
    one, step = 1.0, float(ulp(np.array([1.0]), dtype)[0])
    middle = one + step / 2
    tiny = 2.0**-50
    got = round_to(np.array([middle - tiny, middle, middle + tiny]), dtype)
    assert got.tolist() == [one, one, one + step]


def test_inputs_are_reproducible_and_never_constant_along_an_axis() -> None:
    spec = gemm()
    first, second = make_inputs(spec), make_inputs(spec)
    for name, array in first.items():
        assert array.tobytes() == second[name].tobytes()
        assert np.ptp(array.astype(np.float32), axis=0).min() > 0.5
        assert np.ptp(array.astype(np.float32), axis=1).min() > 0.5


def test_dropping_the_end_of_a_long_k_is_seen_on_integers() -> None:
    """The rounding bound of a sum of 100003 terms would hide 35 of them; exact sums hide nothing."""
    spec = gemm(m=2, n=2, k=100_003, c="float32")
    _, inputs = input_sets(spec)
    want = reference(spec, inputs)["C"]
    assert want.exact
    a, b = inputs["A"].astype(np.float32), inputs["B"].astype(np.float32)
    assert against_reference("C", a @ b, want, DType.FLOAT32).mismatch is None
    short = against_reference("C", a[:, :-35] @ b[:-35], want, DType.FLOAT32)
    assert short.mismatch is not None


def test_integer_inputs_show_an_accumulator_in_half_precision() -> None:
    spec = gemm()
    _, inputs = input_sets(spec)
    c = np.zeros((65, 43), np.float16)
    for k in range(507):
        c += np.outer(inputs["A"][:, k], inputs["B"][k])
    assert against_reference("C", c, reference(spec, inputs)["C"], DType.FLOAT16).mismatch


@pytest.mark.parametrize("cols", [1000, 12_000])
def test_a_norm_that_drops_the_last_column_of_a_long_half_row_is_rejected(cols: int) -> None:
    fields = {"name": "n", "norm": "rms", "rows": 5, "cols": cols, "dtype": "float16"}
    spec = NormSpec.model_validate(fields)
    x = make_inputs(spec)["x"].astype(np.float32)
    mean = (x[:, :-1] * x[:, :-1]).sum(axis=1, keepdims=True) / np.float32(cols)
    short = (x / np.sqrt(mean + np.float32(1e-6))).astype(np.float16)
    assert judge(spec, "y", short, DType.FLOAT16).mismatch is not None


def test_a_wrong_nan_is_infinitely_far_off() -> None:
    spec = rms()
    got = np.full((21, 1000), np.nan, ml_dtypes.bfloat16)
    assert judge(spec, "y", got, DType.BFLOAT16).max_ulp == np.inf
