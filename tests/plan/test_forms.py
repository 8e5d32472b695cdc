"""What a spec asks for beside the three trees, and how the forms differ."""

from __future__ import annotations

import pytest

from gen.plan import PLAIN, Form, Tree, forms_of, plan
from gen.spec import Spec, loads

ELEMENTWISE = """
kind: elementwise
name: it
shape: [100000]
inputs: {x: float16, y: float16}
output: {z: float16}
body: x + y
tile: 128
"""
GEMM = """
kind: gemm
name: it
m: 300
n: 300
k: 500
a: float16
b: float16
c: float16
"""
NORM = """
kind: norm
name: it
norm: rms
rows: 5000
cols: 64
dtype: float16
tile: {rows: 2}
"""
TEXTS = {"elementwise": ELEMENTWISE, "gemm": GEMM, "norm": NORM}
FORMS = "sync: manual\na_tree: {auto_sync: true}\n"


def spec(kind: str, more: str = FORMS) -> Spec:
    return loads(TEXTS[kind] + more)


@pytest.mark.parametrize("kind", TEXTS)
@pytest.mark.parametrize(
    ("more", "extra"),
    [
        ("", set()),
        ("sync: auto\n", set()),
        ("sync: manual\n", {Form.M_MANUAL}),
        ("a_tree: {auto_sync: true}\n", {Form.A_AUTO}),
        ("a_tree: {auto_sync: false}\n", set()),
        (FORMS, {Form.M_MANUAL, Form.A_AUTO}),
    ],
)
def test_a_spec_has_the_forms_that_it_asks_for(kind: str, more: str, extra: set[Form]) -> None:
    planned = plan(spec(kind, more))
    assert set(planned.trees) == {*PLAIN, *extra}
    assert tuple(planned.trees) == forms_of(planned.spec)
    assert not planned.refused


def test_a_plain_form_is_its_tree() -> None:
    assert [f for f in Form if f in tuple(Tree)] == list(PLAIN)
    assert {Form.A.tree, Form.A_AUTO.tree} == {Tree.A}
    assert {Form.M.tree, Form.M_MANUAL.tree} == {Tree.M}


@pytest.mark.parametrize("kind", TEXTS)
def test_forms_share_everything_but_what_synchronisation_asks_for(kind: str) -> None:
    trees = plan(spec(kind)).trees
    for form, planned in trees.items():
        plain = trees[Form(form.tree)]
        assert (planned.chip, planned.blocks, planned.rounds) == (
            plain.chip,
            plain.blocks,
            plain.rounds,
        )
        assert planned.explicit == (form not in (Form.A_AUTO, Form.M))
    assert trees[Form.M_MANUAL].stages == trees[Form.M].stages > 1


@pytest.mark.parametrize("kind", TEXTS)
def test_the_compiler_of_the_a_tree_leaves_nothing_in_flight(kind: str) -> None:
    trees = plan(spec(kind)).trees
    assert trees[Form.A].stages > 1
    assert trees[Form.A_AUTO].stages == 1
    assert {b.stages for b in trees[Form.A_AUTO].buffers if b.memory in ("UB", "L1")} == {1}


def test_what_a_tree_cannot_do_no_form_of_it_can() -> None:
    planned = plan(loads(ELEMENTWISE.replace("x + y", "x * 1.23456789 + y") + FORMS))
    assert set(planned.refused) == {Form.A, Form.A_AUTO}
    assert planned.refused[Form.A] == planned.refused[Form.A_AUTO]
    few = loads(
        GEMM.replace("k: 500", "k: 4096") + FORMS + "tile: {m: 32, n: 16, k: 2048}\nstages: 1\n"
    )
    assert {Form.M, Form.M_MANUAL} <= set(plan(few).refused)


def test_the_k_tail_is_kept_apart_where_two_fills_would_overlap() -> None:
    def tails(m: int, k: int) -> bool:
        text = GEMM.replace("m: 300", f"m: {m}").replace("n: 300", "n: 256")
        planned = plan(
            loads(text.replace("k: 500", f"k: {k}") + FORMS + "tile: {m: 64, n: 64, k: 64}\n")
        )
        return any(b.name == "a_tail" for b in planned.trees[Form.M_MANUAL].buffers)

    assert tails(100, 200)
    assert not tails(128, 200)  # no rows to fill
    assert not tails(100, 256)  # no columns
    assert not tails(100, 250)  # the last 32 bytes of K are begun: the copy itself fills them


def test_a_form_that_does_not_fit_is_refused_with_the_sizes() -> None:
    text = GEMM.replace("k: 500", "k: 1908") + FORMS + "tile: {m: 128, n: 128, k: 1008}\n"
    planned = plan(loads(text + "stages: 1\n"))
    assert Form.M in planned.trees
    assert planned.refused[Form.M_MANUAL] == (
        "its buffers in L1 take 983040 bytes, the limit on ascend950 is 524288; use a smaller tile"
    )
