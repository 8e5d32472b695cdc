"""Any M, N, K, any row length, any number of elements: right in all three trees, every core, no finding."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from gen.check import Level
from gen.plan import forms_of
from gen.spec import ElementwiseSpec, GemmSpec, NormSpec, load

from .conftest import a_tree_reason, assert_clean

SPECS = sorted(Path(__file__).parents[2].joinpath("specs").glob("*.yaml"))


@pytest.mark.parametrize("path", SPECS, ids=lambda p: p.stem)
def test_every_shipped_spec_is_simulated_and_clean_in_all_trees(path: Path) -> None:
    spec = load(path)
    verdict = assert_clean(spec)
    forms = len(forms_of(spec))
    assert len(verdict.trees) == forms
    if not a_tree_reason():
        assert all(t.level is Level.SIMULATED for t in verdict.trees)
        assert len(verdict.pairs) == forms * (forms - 1) // 2


def gemm(m: int, n: int, k: int, dtype: str = "float16", **more: object) -> GemmSpec:
    fields = {"name": "gemm", "m": m, "n": n, "k": k, "a": dtype, "b": dtype, "c": dtype}
    return GemmSpec.model_validate(fields | more)


@pytest.mark.parametrize(("m", "n", "k"), list(product((1, 7, 33), repeat=3)))
def test_gemm_with_tails_in_every_dimension(m: int, n: int, k: int) -> None:
    assert_clean(gemm(m, n, k))


def test_gemm_larger_than_a_tile_with_odd_extents() -> None:
    assert_clean(gemm(1000, 1001, 1003))


@pytest.mark.parametrize("transpose_b", [False, True])
@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32"])
def test_gemm_in_every_format_with_b_stored_both_ways(dtype: str, transpose_b: bool) -> None:
    assert_clean(gemm(130, 257, 200, dtype, transpose_b=transpose_b))


@pytest.mark.parametrize("c", ["float16", "bfloat16", "float32"])
def test_gemm_writes_every_output_format(c: str) -> None:
    assert_clean(gemm(65, 40, 47, "bfloat16", c=c))


@pytest.mark.parametrize("k", [16, 47, 65, 95, 127, 250, 512])
def test_gemm_at_the_k_that_separate_right_from_nearly_right(k: int) -> None:
    assert_clean(gemm(33, 18, k, "bfloat16", tile={"m": 16, "n": 16, "k": 32}))


def norm(rows: int, cols: int, dtype: str = "bfloat16", **more: object) -> NormSpec:
    fields = {
        "name": "norm",
        "norm": "rms",
        "rows": rows,
        "cols": cols,
        "dtype": dtype,
        "weight": True,
    }
    return NormSpec.model_validate(fields | more)


@pytest.mark.parametrize("cols", [1, 2, 7, 33, 1000, 4097])
@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32"])
def test_norm_of_rows_that_fill_no_block(cols: int, dtype: str) -> None:
    assert_clean(norm(129, cols, dtype))


@pytest.mark.parametrize(("rows", "cols"), [(1, 1), (7, 33), (33, 7), (1, 1024), (333, 100)])
def test_norm_of_few_and_odd_rows(rows: int, cols: int) -> None:
    assert_clean(norm(rows, cols, weight=False))


@pytest.mark.parametrize(("rows", "cols"), [(150, 182), (300, 250), (97, 129)])
@pytest.mark.parametrize("dtype", ["float32", "float16"])
def test_norm_of_rows_that_several_warps_share(rows: int, cols: int, dtype: str) -> None:
    assert_clean(norm(rows, cols, dtype, sync="manual"))


def elementwise(n: int, body: str, dtype: str = "float32", **more: object) -> ElementwiseSpec:
    names = [name for name in ("x", "gate", "bias") if name in body]
    fields = {
        "name": "ew",
        "shape": [n],
        "inputs": dict.fromkeys(names, dtype),
        "output": {"y": dtype},
        "body": body,
    }
    return ElementwiseSpec.model_validate(fields | more)


@pytest.mark.parametrize("n", [1, 7, 8, 33, 98, 520, 4097, 13243, 65536])
@pytest.mark.parametrize("dtype", ["float32", "float16"])
def test_elementwise_of_any_length(n: int, dtype: str) -> None:
    assert_clean(elementwise(n, "x * sigmoid(x) * gate", dtype))


BODIES = [
    "x",
    "-x + 1",
    "x / 3 - 2 / x",
    "max(x, gate) - min(x, bias)",
    "sqrt(abs(x)) * exp(-abs(gate))",
    "log(abs(x) + 1) + relu(gate)",
    "sigmoid(x) * sigmoid(gate)",
    "1 - x * 0.5 + gate * gate",
]


@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16"])
@pytest.mark.parametrize("body", BODIES)
def test_every_operation_of_expressions(body: str, dtype: str) -> None:
    assert_clean(elementwise(2500, body, dtype))


@pytest.mark.parametrize("stages", [1, 2, 3, 4])
def test_any_number_of_stages(stages: int) -> None:
    assert_clean(elementwise(60_000, "x + gate", stages=stages, tile=128))
    assert_clean(gemm(100, 90, 500, stages=stages, tile={"m": 32, "n": 32, "k": 32}))
    assert_clean(norm(700, 130, stages=stages, tile={"rows": 1}))


@pytest.mark.parametrize("n", [1, 13243])
def test_vector_kernels_in_ascend_c_for_the_950(n: int) -> None:
    chip = {"ascendc": "ascend950"}
    assert_clean(elementwise(n, "x * sigmoid(x) * gate", "bfloat16", chip=chip))
    assert_clean(norm(37, 1000, chip=chip))
