"""Inputs, expected output and error bounds of add_forms, as files below input/ and output/.

Generated from specs/add_forms.yaml; to regenerate, run: gen render specs/add_forms.yaml
"""

import os

import numpy as np

SEED = 0
SHAPE = (4096, 1024)


def make_inputs(rng: np.random.Generator) -> dict[str, np.ndarray]:
    return {
        "x": rng.standard_normal(SHAPE).astype(np.float32),
        "y": rng.standard_normal(SHAPE).astype(np.float32),
    }


def reference(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """z = x + y, rounded where the kernel rounds, and how far the kernel may be off."""
    z = x + y
    return z, np.zeros(SHAPE)


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
