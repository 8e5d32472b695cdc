"""Kernels in the house style of Ascend C compute what NumPy computes, and the model finds nothing wrong."""

from __future__ import annotations

import numpy as np
import pytest

from tests.face_ascendc.harness import CHIPS, Array, build, run, said

chips = pytest.mark.parametrize("chip", CHIPS)


@chips
@pytest.mark.parametrize("elements", [1, 7, 8, 1024, 4097, 13243])
def test_add_on_queues_is_exact_for_every_tail(chip: str, elements: int) -> None:
    rng = np.random.default_rng(elements)
    x, y = (rng.standard_normal(elements).astype(np.float16) for _ in range(2))
    program = build("add_custom", chip)
    out, done = run(
        program, chip, (str(elements),), {"x": x, "y": y}, {"z": (np.float16, (elements,))}
    )
    assert done.clean, said(done)
    assert np.array_equal(out["z"], x + y)


@chips
@pytest.mark.parametrize("shape", [(32, 48, 64), (33, 50, 70), (15, 13, 47), (70, 100, 200)])
def test_matmul_on_cube_queues_keeps_the_bound_of_float_sums(
    chip: str, shape: tuple[int, int, int]
) -> None:
    m, n, k = shape
    rng = np.random.default_rng(m)
    a = rng.standard_normal((m, k)).astype(np.float16)
    b = rng.standard_normal((k, n)).astype(np.float16)
    program = build("matmul_custom", chip)
    argv = tuple(map(str, shape))
    out, done = run(program, chip, argv, {"a": a, "b": b}, {"c": (np.float32, (m, n))})
    assert done.clean, said(done)
    bound = k * 2.0**-24 * (np.abs(a).astype(np.float64) @ np.abs(b).astype(np.float64))
    assert np.all(np.abs(out["c"] - a.astype(np.float64) @ b.astype(np.float64)) <= bound)


@chips
@pytest.mark.parametrize("waits", [True, False])
def test_aic_and_aivs_share_a_product_in_order_of_their_cross_core_flag(
    chip: str, waits: bool
) -> None:
    rng = np.random.default_rng(0)
    a = rng.standard_normal((32, 64)).astype(np.float16)
    b = rng.standard_normal((64, 64)).astype(np.float16)
    bias = rng.standard_normal(64).astype(np.float32)
    program = build("mix_custom", chip, WAITS="1" if waits else "0")
    inputs: dict[str, Array] = {"a": a, "b": b, "bias": bias}
    out, done = run(program, chip, (), inputs, {"c": (np.float32, (32, 64))})
    if not waits:
        assert {f.code for f in done.errors} <= {"race-raw", "race-war", "race-waw"}, said(done)
        assert done.errors
        return
    assert done.clean, said(done)
    bound = 65 * 2.0**-24 * (np.abs(a).astype(np.float64) @ np.abs(b).astype(np.float64) + 4)
    exact = a.astype(np.float64) @ b.astype(np.float64) + bias
    assert np.all(np.abs(out["c"] - exact) <= bound)
