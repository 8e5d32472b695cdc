"""Inputs, expected output and error bounds of rmsnorm_forms, as files below input/ and output/.

Generated from specs/rmsnorm_forms.yaml; to regenerate, run: gen render specs/rmsnorm_forms.yaml
"""

import os

import numpy as np
from ml_dtypes import bfloat16

SEED = 0
ROWS, COLS = 4096, 1024
EPSILON = 1e-06
UNIT_ROUNDOFF = 2.0**-24  # of float32, in which the kernel computes
# Roundings that reach an element: half of those of the mean (the square root halves them), then six.
ROUNDINGS = 0.5 * (COLS + 3) + 6


def make_inputs(rng: np.random.Generator) -> dict[str, np.ndarray]:
    return {
        "x": rng.standard_normal((ROWS, COLS)).astype(bfloat16),
        "weight": (1 + 0.25 * rng.standard_normal(COLS)).astype(bfloat16),
    }


def reference(x: np.ndarray, weight: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The norm in float64, and how far float32 may be off."""
    x = x.astype(np.float64)
    golden = x / np.sqrt(np.mean(x * x, axis=1, keepdims=True) + EPSILON)
    golden = golden * weight.astype(np.float64)
    computed = ROUNDINGS * UNIT_ROUNDOFF / (1 - ROUNDINGS * UNIT_ROUNDOFF) * np.abs(golden)
    stored = 0.5 * np.spacing((np.abs(golden) + computed).astype(bfloat16)).astype(np.float64)
    return golden, computed + stored


def main() -> None:
    os.makedirs("input", exist_ok=True)
    os.makedirs("output", exist_ok=True)
    inputs = make_inputs(np.random.default_rng(SEED))
    for name, values in inputs.items():
        values.tofile(f"input/input_{name}.bin")
    with np.errstate(all="ignore"):
        golden, bound = reference(**inputs)
    golden.astype(np.float64).tofile("output/golden.bin")
    bound.astype(np.float64).tofile("output/bound.bin")


if __name__ == "__main__":
    main()
