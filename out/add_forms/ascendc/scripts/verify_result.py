"""Compares output/output.bin with output/golden.bin, element by element within output/bound.bin.

Generated from specs/add_forms.yaml; to regenerate, run: gen render specs/add_forms.yaml
"""

import sys

import numpy as np

SHOWN = 10  # mismatches to print


def main() -> int:
    output = np.fromfile("output/output.bin", np.float32).astype(np.float64)
    golden = np.fromfile("output/golden.bin", np.float64)
    bound = np.fromfile("output/bound.bin", np.float64)
    if output.size != golden.size:
        print(f"[ERROR] {output.size} elements, expected {golden.size}")
        return 1
    with np.errstate(invalid="ignore"):
        near = np.abs(output - golden) <= bound
    same = (output == golden) | (np.isnan(output) & np.isnan(golden))
    wrong = np.flatnonzero(~(near | same))
    for index in wrong[:SHOWN]:
        print(f"index {index}: {output[index]}, expected {golden[index]} +- {bound[index]:.3g}")
    if wrong.size:
        print(f"[ERROR] {wrong.size} of {golden.size} elements are wrong")
        return 1
    print("test pass!")
    return 0


if __name__ == "__main__":
    sys.exit(main())
