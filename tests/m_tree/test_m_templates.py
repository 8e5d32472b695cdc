"""Rendered M-tree kernels: what a reviewer of that tree reads, and what its compiler makes of them."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import pytest

from gen.compile.m_tree import Request, Session, inputs_of, lower
from gen.plan import Plan, Tree, plan
from gen.render import RenderedFile, render
from gen.spec.models import ElementwiseSpec, GemmSpec, NormSpec


def elementwise(body: str, dtype: str, *shape: int, **more: Any) -> ElementwiseSpec:
    names = sorted({c for c in body if c in "xyz"})
    fields = {"name": "op", "shape": shape, "inputs": dict.fromkeys(names, dtype), "body": body}
    return ElementwiseSpec.model_validate({**fields, "output": {"out": dtype}, **more})


def gemm(m: int, n: int, k: int, dtype: str = "float16", **more: Any) -> GemmSpec:
    fields = {"name": "product", "m": m, "n": n, "k": k, "a": dtype, "b": dtype, "c": dtype}
    return GemmSpec.model_validate({**fields, **more})


def norm(rows: int, cols: int, dtype: str = "float16", **more: Any) -> NormSpec:
    fields = {"name": "rms", "norm": "rms", "rows": rows, "cols": cols, "dtype": dtype}
    return NormSpec.model_validate({**fields, **more})


ALL_OPS = (
    "relu(x) + abs(y) * exp(x) - log(y) / sqrt(y) + sigmoid(x) - min(x, 0.3) + max(x, -y) * (1 - x)"
)

SPECS = {
    "one element": elementwise("x + x", "float16", 1),
    "tail": elementwise("x * y", "bfloat16", 13243),
    "several rounds": elementwise("x / y", "float32", 700_001),
    "all operations": elementwise(ALL_OPS, "float16", 100, 77),
    "all operations in float16": elementwise(ALL_OPS, "float16", 100, 77, compute="float16"),
    "mixed types": elementwise("x + y", "float32", 5, 5, output={"out": "bfloat16"}),
    "given tile, three stages": elementwise("x - y", "float32", 500_000, tile=1024, stages=3),
    "gemm": gemm(512, 512, 256),
    "gemm transposed": gemm(512, 512, 256, transpose_b=True),
    "gemm tails": gemm(130, 333, 210, c="float32"),
    "gemm one K step": gemm(1000, 1000, 64, "bfloat16"),
    "gemm smaller than a fractal": gemm(1, 7, 33, "float32", transpose_b=True),
    "gemm single stage": gemm(512, 512, 256, stages=1),
    "norm": norm(4096, 1024),
    "norm weighted, odd row": norm(4099, 1000, "bfloat16", weight=True),
    "norm short rows": norm(1000, 7, "float32", weight=True),
    "norm long rows": norm(100, 4097),
    "norm one row": norm(1, 1),
}


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
