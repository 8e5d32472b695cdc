"""Every planned kernel fits its chip; a given tile that does not fit names the buffer, the bytes and the limit."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gen.errors import GenError
from gen.plan import GemmPlan, NormPlan, plan
from gen.plan.limits import capacity
from gen.spec import GemmSpec, NormSpec, Spec

EXTENT = st.one_of(st.integers(1, 40), st.integers(1, 5000))
DTYPE = st.sampled_from(["float16", "bfloat16", "float32"])


def gemm(m: int, n: int, k: int, dtype: str = "float16", **more: object) -> GemmSpec:
    fields = {
        "kind": "gemm",
        "name": "g",
        "m": m,
        "n": n,
        "k": k,
        "a": dtype,
        "b": dtype,
        "c": dtype,
    }
    return GemmSpec.model_validate(fields | more)


def norm(rows: int, cols: int, dtype: str = "bfloat16", **more: object) -> NormSpec:
    fields = {
        "kind": "norm",
        "name": "n",
        "norm": "rms",
        "rows": rows,
        "cols": cols,
        "dtype": dtype,
    }
    return NormSpec.model_validate(fields | {"weight": True} | more)


def assert_fits(spec: Spec) -> None:
    made = plan(spec)
    for tree, p in made.trees.items():
        for memory in {b.memory for b in p.buffers}:
            assert p.used(memory) <= capacity(tree, p.chip, memory), (tree, memory)
        assert p.blocks <= p.chip.aiv
        assert p.workers * p.rounds >= made.tiles > p.workers * (p.rounds - 1)


@given(EXTENT, EXTENT, EXTENT, DTYPE, st.booleans())
def test_every_gemm_fits_and_covers(m: int, n: int, k: int, dtype: str, transpose_b: bool) -> None:
    spec = gemm(m, n, k, dtype, transpose_b=transpose_b)
    assert_fits(spec)
    made = plan(spec)
    assert isinstance(made, GemmPlan)
    assert (made.k_tiles - 1) * made.bk + made.k_tail == k
    assert 1 <= made.k_tail <= made.bk
    assert made.bk % made.k0 == 0
    assert made.m_tiles * made.bm >= m > (made.m_tiles - 1) * made.bm
    assert made.n_tiles * made.bn >= n > (made.n_tiles - 1) * made.bn


@given(EXTENT, st.integers(1, 4200), DTYPE)
def test_every_norm_fits_and_covers(rows: int, cols: int, dtype: str) -> None:
    spec = norm(rows, cols, dtype)
    assert_fits(spec)
    made = plan(spec)
    assert isinstance(made, NormPlan)
    assert (made.tiles - 1) * made.tile_rows + made.tail_rows == rows
    assert made.width >= cols
    assert made.width * spec.dtype.bytes % 32 == 0


def test_a_row_that_one_tree_cannot_hold_is_refused_there_with_the_bytes() -> None:
    made = plan(norm(4, 11000, "float32"))
    assert "a_tree" in made.refused
    assert "11000" in made.refused["a_tree"]
    assert "196352" in made.refused["a_tree"]


def test_a_row_that_no_tree_can_hold_is_an_error_at_cols() -> None:
    with pytest.raises(GenError) as caught:
        plan(norm(4, 100_000))
    assert {d.code for d in caught.value.diagnostics} == {"E201"}


def test_a_tile_that_does_not_fit_names_the_buffer_the_bytes_and_the_limit() -> None:
    with pytest.raises(GenError) as caught:
        plan(gemm(512, 512, 512, tile={"m": 256, "n": 256, "k": 128}))
    text = str(caught.value)
    assert "`c1`, is [256 x 256] float32 = 262144 bytes" in text
    assert "the limit is 131072" in text
    assert "a tile that fits all three trees is {m: 128, n: 256, k: 128}" in text


def test_a_tile_that_is_no_multiple_of_the_fractal_says_what_to_use() -> None:
    with pytest.raises(GenError) as caught:
        plan(gemm(512, 512, 512, tile={"m": 100, "n": 256, "k": 60}))
    assert [d.help for d in caught.value.diagnostics] == ["use 112", "use 64"]


def test_float32_gemm_with_row_major_b_is_refused_for_the_a_tree_only() -> None:
    assert set(plan(gemm(64, 64, 64, "float32")).refused) == {"a_tree"}
    assert plan(gemm(64, 64, 64, "float32", transpose_b=True)).refused == {}


def test_default_tiles_of_few_fractals_take_one_mmad_per_l1_tile() -> None:
    made = plan(gemm(16, 144, 1000))
    assert isinstance(made, GemmPlan)
    assert made.k0 == made.bk == 112
    assert made.refused == {}


def test_a_given_tile_that_the_m_tree_would_accumulate_without_order_is_refused_there() -> None:
    made = plan(gemm(16, 144, 1000, tile={"m": 16, "n": 144, "k": 128}))
    assert "use a tile k of at most 64" in made.refused["m_tree"]
