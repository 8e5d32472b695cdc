"""The lines that a hasty reader would drop: without each of them the model objects, or the numbers are wrong."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from gen.check.compare import against_reference
from gen.check.formats import numpy_dtype
from gen.check.inputs import make_inputs
from gen.check.reference import reference
from gen.compile.ascendc import compile
from gen.plan import Tree
from tests.ascendc.cases import SPECS, output_of, planned, profile

WRONG = "wrong numbers"
MUTATIONS = [
    pytest.param(
        "gemm small tiles",
        r"\n *AscendC::PipeBarrier<PIPE_M>\(\);",
        "",
        "race-raw",
        id="the barrier between small Mmads",
    ),
    pytest.param("gemm tails", r"AscendC::Fill\(.*\);", "", WRONG, id="the zeros that pad K in B"),
    pytest.param(
        "gemm float32", r"AscendC::Fill\(.*\);", "", WRONG, id="the zeros that pad K in float32 B"
    ),
    pytest.param(
        "gemm vector times matrix",
        r"params\.m = CeilAlign\(mLength, CUBE_BLOCK\);",
        "params.m = mLength;",
        WRONG,
        id="whole fractals in m, against GEMV",
    ),
    pytest.param("gemm NT", r"inQueueB1\.FreeTensor\(b1Local\);", "", "queue", id="giving L1 back"),
    pytest.param("add", r"inQueueX\.EnQue\(xLocal\);", "", "queue", id="handing a tile to Compute"),
    pytest.param(
        "silu",
        r"\(tile == tiling\.tileNum - 1\) \? tiling\.tailLength : ",
        "",
        "out-of-bounds",
        id="the length of the last tile",
    ),
    pytest.param(
        "norm padded rows",
        r"PAD_BLOCKS, 0, 0\}",
        "0, 0, 0}",
        WRONG,
        id="the pad between rows in UB",
    ),
]


@pytest.mark.parametrize(("name", "pattern", "replacement", "expected"), MUTATIONS)
def test_a_line_is_needed(name: str, pattern: str, replacement: str, expected: str, tmp_path: Path):
    spec = SPECS[name]
    plan, rendering = planned(spec)
    kernel, *others = rendering.of_tree(Tree.ASCENDC)
    text, changed = re.subn(pattern, replacement, kernel.text)
    assert changed
    headers = {Path(file.path).name: file.text for file in others}
    program = compile(
        tmp_path / "kernel.asc", plan.trees[Tree.ASCENDC].chip, text=text, headers=headers
    )
    inputs = make_inputs(spec)
    tensor, dtype, shape = output_of(spec)
    outputs, run = program.run(
        inputs, {tensor: (np.dtype(numpy_dtype(dtype)), shape)}, profile(plan), 60.0
    )
    if expected == WRONG:
        judged = against_reference(tensor, outputs[tensor], reference(spec, inputs)[tensor], dtype)
        assert judged.mismatch is not None
    else:
        codes = {finding.code for finding in run.findings}
        assert any(code.startswith(expected) for code in codes), codes


def test_the_scalar_unit_needs_its_flag_where_the_compiler_adds_none():
    spec = SPECS["norm half"]
    plan, rendering = planned(spec)
    kernel, *others = rendering.of_tree(Tree.ASCENDC)
    headers = {Path(file.path).name: file.text for file in others}
    text = re.sub(
        r"AscendC::(Set|Wait)Flag<AscendC::HardEvent::V_S>\(eventVToS\);", "", kernel.text
    )
    chip = plan.trees[Tree.ASCENDC].chip
    outputs = {"y": (np.dtype(numpy_dtype(spec.dtype)), (spec.rows, spec.cols))}

    def edges(source: str, auto_sync: bool) -> set[str]:
        program = compile(Path("kernel.asc"), chip, text=source, headers=headers)
        _, run = program.run(make_inputs(spec), outputs, profile(plan, auto_sync), 60.0)
        return {finding.edge for finding in run.errors}

    assert "V→S" in edges(text, auto_sync=False)
    assert "V→S" not in edges(kernel.text, auto_sync=False)
    assert edges(text, auto_sync=True) == set()
