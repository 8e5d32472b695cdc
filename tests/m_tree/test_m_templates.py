"""Rendered M-tree kernels: what a reviewer of that tree reads, and what its compiler makes of them."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from gen.compile.m_tree import Request, Session, inputs_of, lower
from gen.plan import Plan, Tree, plan
from gen.render import RenderedFile, render
from tests.m_tree.specs import SPECS


def rendered(name: str) -> tuple[Plan, RenderedFile]:
    decided = plan(SPECS[name])
    file = render(decided).kernel("m_tree")
    assert file is not None
    return decided, file


@pytest.mark.parametrize("name", SPECS)
def test_the_compiler_takes_it_and_lays_it_out_as_planned(
    name: str, session: Session, tmp_path: Path
) -> None:
    decided, file = rendered(name)
    request = Request("m_tree.py", file.text, inputs_of(decided))
    lowered = lower(request, session=session, folder=tmp_path)
    (launch,) = lowered.launches
    tree = decided.trees[Tree.M]
    assert launch.blocks == tree.blocks
    assert launch.ub_bytes in (0, tree.used("UB"))
    assert "Warning" not in lowered.log


@pytest.mark.parametrize("name", SPECS)
def test_there_is_no_synchronisation_in_the_source(name: str) -> None:
    _, file = rendered(name)
    assert not re.search(r"flag|barrier|wait|notify|sync|lock\(", file.text)


@pytest.mark.parametrize("name", SPECS)
def test_every_name_is_used(name: str) -> None:
    _, file = rendered(name)
    stored, loaded = set(), set()
    for node in ast.walk(ast.parse(file.text)):
        if isinstance(node, ast.Name):
            (stored if isinstance(node.ctx, ast.Store) else loaded).add(node.id)
    assert stored <= loaded


@pytest.mark.parametrize("name", SPECS)
def test_every_line_of_the_kernel_belongs_to_a_step(name: str) -> None:
    _, file = rendered(name)
    lines = file.text.splitlines()
    (kernel,) = (n for n in ast.parse(file.text).body if isinstance(n, ast.FunctionDef))
    assert kernel.end_lineno is not None
    for number in range(kernel.decorator_list[0].lineno, kernel.end_lineno):
        if lines[number - 1]:
            assert file.steps_at(number), lines[number - 1]


def test_only_a_padded_row_is_masked() -> None:
    assert "if_then_else" not in rendered("norm")[1].text
    assert "if_then_else(j < N" in rendered("norm weighted, odd row")[1].text


def test_a_kernel_without_a_second_tile_is_not_double_buffered() -> None:
    assert "annotate_buffer_versions" not in rendered("one element")[1].text
    assert "annotate_buffer_versions" in rendered("several rounds")[1].text


def test_float16_arithmetic_stays_in_float16(session: Session, tmp_path: Path) -> None:
    decided, file = rendered("all operations in float16")
    request = Request("m_tree.py", file.text, inputs_of(decided))
    source = lower(request, session=session, folder=tmp_path).source
    assert "float2" not in source
