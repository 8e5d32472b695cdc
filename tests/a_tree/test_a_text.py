"""What a reviewer would look for in a rendered A-tree kernel, found in its text."""

from __future__ import annotations

import ast

import pytest

from .a_cases import SPECS, elementwise, gemm, norm, rendered

FLAGS = ("set_flag", "wait_flag")


def calls(text: str, *names: str) -> list[ast.Call]:
    """Calls of `T.name` in the order of the text."""
    found = [
        node
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in names
    ]
    return sorted(found, key=lambda call: call.lineno)


@pytest.mark.parametrize("name", SPECS)
def test_every_name_is_used(name: str) -> None:
    tree = ast.parse(rendered(SPECS[name]).text)
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    stored = {n.id for n in names if isinstance(n.ctx, ast.Store)}
    loaded = {n.id for n in names if isinstance(n.ctx, ast.Load)}
    assert stored - loaded <= {"_"}


@pytest.mark.parametrize("name", SPECS)
def test_every_line_of_the_kernel_has_a_step(name: str) -> None:
    file = rendered(SPECS[name])
    lines = file.text.splitlines()
    first = lines.index("@tilelang.jit(out_idx=[-1])") + 1
    last = lines.index("    return main")
    without = [
        text.strip()
        for number, text in enumerate(lines[first - 1 : last], first)
        if text.strip() and not text.lstrip().startswith("#") and not file.steps_at(number)
    ]
    assert without in (['with T.Scope("V"):'], ['with T.Scope("C"):'])


@pytest.mark.parametrize("name", SPECS)
def test_flags_come_in_pairs_and_never_take_an_id_of_the_copy_templates(name: str) -> None:
    text = rendered(SPECS[name]).text
    assert {_pipes(c) for c in calls(text, "set_flag")} == {
        _pipes(c) for c in calls(text, "wait_flag")
    }
    ids = [call.args[2] for call in calls(text, *FLAGS)]
    assert not any(isinstance(i, ast.Constant) and i.value == 0 for i in ids)
    assert not any(isinstance(i, ast.Name) for i in ids), "slot + 1, never slot"


def _pipes(call: ast.Call) -> str:
    return "→".join(ast.literal_eval(argument) for argument in call.args[:2])


def test_one_round_needs_no_ring() -> None:
    for spec in (elementwise("x + y", "float16", 7), norm(3, 64), gemm(7, 7, 7)):
        pairs = {_pipes(c) for c in calls(rendered(spec).text, *FLAGS)}
        assert pairs <= {"mte2→v", "v→mte3", "mte2→mte1"}


def test_the_k_tail_has_tiles_that_are_no_slice_of_a_ring() -> None:
    text = rendered(gemm(300, 250, 200, tile={"m": 32, "n": 32, "k": 32})).text
    assert "A_l1 = T.alloc_L1((STAGES, TILE_M, TILE_K)" in text
    assert "A_tail = T.alloc_L1((TILE_M, TAIL_K)" in text
    assert "T.gemm_v0(A_tail, B_tail, C_l0, init=False)" in text
    assert "tail" not in rendered(gemm(300, 250, 192, tile={"m": 32, "n": 32, "k": 32})).text


def test_sigmoid_has_a_destination_of_its_own() -> None:
    for call in calls(rendered(SPECS["all operations"]).text, "sigmoid"):
        if isinstance(call.func, ast.Attribute) and ast.unparse(call.func) == "T.tile.sigmoid":
            destination, source = map(ast.unparse, call.args)
            assert destination != source


def test_narrowing_rounds_to_nearest_even_and_widening_is_exact() -> None:
    text = rendered(elementwise("x * y", "bfloat16", 5)).text
    casts = [ast.unparse(call) for call in calls(text, "cast")]
    assert casts == [
        "T.tile.cast(w0, x_ub, 'CAST_NONE', TILE)",
        "T.tile.cast(w1, y_ub, 'CAST_NONE', TILE)",
        "T.tile.cast(out_ub, w0, 'CAST_RINT', TILE)",
    ]
