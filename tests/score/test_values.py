"""Outputs against `values:` lines: exact results, and results that round as NumPy does."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from gen.check.foreign import FileVerdict, OutputData
from gen.check.verdict import Outcome
from gen.plan import Tree
from gen.score.expectation import parse
from gen.score.values import wrong_values

RNG = np.random.default_rng(11)
X = RNG.uniform(-1, 1, 256).astype(np.float16)
W = RNG.uniform(-1, 1, 256).astype(np.float32)


def wrong(expression: str, got: np.ndarray, **inputs: np.ndarray) -> list[str]:
    file = parse(Path("kernel.asc"), f"// expect: clean\n// values: y = {expression}\n")
    output = OutputData("y", str(got.dtype), got.shape, "", got)
    verdict = FileVerdict(
        "kernel.asc",
        Tree.ASCENDC,
        "910b",
        Outcome.CLEAN,
        outputs=(output,),
        inputs={"x": X, "w": W, **inputs},
    )
    return list(wrong_values(file, verdict))


@pytest.mark.parametrize("tolerance", ["", " ~ 1e-5"])
@pytest.mark.parametrize(
    "expression",
    [
        "(x + np.float16(1)).astype(np.float32)",
        "(x * x + 1).astype(np.float32)",
        "w.astype(np.float16).astype(np.float32)",
    ],
)
def test_halves_are_rounded_as_numpy_rounds_them(expression: str, tolerance: str) -> None:
    got = eval(expression, {"x": X, "w": W, "np": np})
    assert wrong(expression + tolerance, got) == []
    (sentence,) = wrong(expression + tolerance, got + np.float32(2**-9))
    assert sentence.startswith("wrong values: y[0] = ")


def test_a_tolerance_is_one_from_the_exact_result_as_well() -> None:
    exact = np.exp(X.astype(np.float64)).astype(np.float32)
    assert wrong("np.exp(x) ~ 1e-6", exact) == []
    assert wrong("np.exp(x) ~ 1e-6", exact * np.float32(1.0001)) != []


def test_functions_without_a_rule_of_their_own_take_the_values() -> None:
    assert wrong("x.cumsum() ~ 1e-3", X.astype(np.float32).cumsum()) == []
    assert wrong("np.array([x.argmax()])", np.array([X.argmax()], np.int32)) == []
    assert wrong("np.array([x.argmax()])", np.array([X.argmin()], np.int32)) != []
