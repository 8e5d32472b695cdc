"""Inputs, expected output and error bounds of silu_mul, as files below input/ and output/.

Generated from specs/silu_mul.yaml; to regenerate, run: gen render specs/silu_mul.yaml
"""

import os

import numpy as np

SEED = 0
SHAPE = (4096, 1024)
# exp, log and sigmoid are not exactly rounded; units in the last place of the output.
MAX_ULP = 1


def make_inputs(rng: np.random.Generator) -> dict[str, np.ndarray]:
    return {
        "x": rng.standard_normal(SHAPE).astype(np.float16),
        "gate": rng.standard_normal(SHAPE).astype(np.float16),
    }


def reference(x: np.ndarray, gate: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """y = x * sigmoid(x) * gate, rounded where the kernel rounds, and how far the kernel may be off."""
    w0 = x.astype(np.float32)
    w1 = 1 / (1 + np.exp(-w0))
    w0 = w0 * w1
    w1 = gate.astype(np.float32)
    w0 = w0 * w1
    y = w0.astype(np.float16)
    return y, MAX_ULP * np.spacing(np.abs(y)).astype(np.float64)


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
