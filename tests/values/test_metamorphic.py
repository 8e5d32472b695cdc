"""Ways to compute the same: the bits do not depend on stages, tiles, neighbours or where scratch memory comes from."""

from __future__ import annotations

import numpy as np
import pytest

from gen.check.inputs import make_inputs
from gen.spec import Spec
from tests.values.trees import bits, elementwise, gemm, norm, outputs, run_kernel

BODY = "x * sigmoid(x) + y / 3"


def same(left: dict[str, np.ndarray], right: dict[str, np.ndarray]) -> None:
    assert left.keys() == right.keys()
    for tree, array in left.items():
        assert np.array_equal(bits(array), bits(right[tree])), tree


@pytest.mark.parametrize(
    ("serial", "pipelined"),
    [
        (
            elementwise(BODY, "float16", 9000, tile=256, stages=1),
            elementwise(BODY, "float16", 9000, tile=256, stages=2),
        ),
        (
            gemm(70, 90, 200, stages=1, tile={"m": 32, "n": 32, "k": 32}),
            gemm(70, 90, 200, stages=3, tile={"m": 32, "n": 32, "k": 32}),
        ),
        (
            norm(130, 70, stages=1, tile={"rows": 1}),
            norm(130, 70, stages=2, tile={"rows": 1}),
        ),
    ],
    ids=["elementwise", "gemm", "norm"],
)
def test_stages_do_not_change_bits(serial: Spec, pipelined: Spec) -> None:
    inputs = make_inputs(serial)
    same(outputs(serial, inputs), outputs(pipelined, inputs))


def test_tiles_do_not_change_bits() -> None:
    inputs = make_inputs(elementwise(BODY, "float32", 5001))
    made = [outputs(elementwise(BODY, "float32", 5001, tile=t), inputs) for t in (128, 1024)]
    same(*made)


def test_a_row_does_not_know_its_batch() -> None:
    inputs = make_inputs(norm(64, 130))
    batch = outputs(norm(64, 130), inputs)
    alone = outputs(norm(1, 130), {"x": inputs["x"][41:42]})
    same({tree: y[41:42] for tree, y in batch.items()}, alone)


@pytest.mark.parametrize("chip", ["910b", "950"])
def test_a_temporary_buffer_may_be_given_or_not(chip: str) -> None:
    """The kernel writes Sigmoid with its own scratch tensor behind Sigmoid without one."""
    x = np.random.default_rng(11).standard_normal(512).astype(np.float32)
    both = run_kernel("sigmoid_twice.asc", chip, x=x)
    assert np.array_equal(bits(both[:512]), bits(both[512:]))
    assert np.abs(both[:512] - 1 / (1 + np.exp(-x.astype(np.float64)))).max() < 2.0**-22
