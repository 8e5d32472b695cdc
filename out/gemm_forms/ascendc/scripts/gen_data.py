"""Inputs, expected output and error bounds of gemm_forms, as files below input/ and output/.

Generated from specs/gemm_forms.yaml; to regenerate, run: gen render specs/gemm_forms.yaml
"""

import os

import numpy as np

SEED = 0
M, N, K = 1024, 1024, 1024
UNIT_ROUNDOFF = 2.0**-24  # of float32, in which the Cube accumulates


def make_inputs(rng: np.random.Generator) -> dict[str, np.ndarray]:
    return {
        "a": rng.standard_normal((M, K)).astype(np.float16),
        "b": rng.standard_normal((K, N)).astype(np.float16),
    }


def reference(a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The product in float64, and how far a sum in float32, in any order, may be off."""
    a, b = a.astype(np.float64), b.astype(np.float64)
    golden = a @ b
    accumulated = (K + 1) * UNIT_ROUNDOFF / (1 - (K + 1) * UNIT_ROUNDOFF) * (np.abs(a) @ np.abs(b))
    stored = 0.5 * np.spacing((np.abs(golden) + accumulated).astype(np.float16)).astype(np.float64)
    return golden, accumulated + stored


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
