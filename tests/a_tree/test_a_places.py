"""Where emitted lines come from, and how large buffers are, where the emitted text alone does not say it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from gen.compile.a_tree import Request, Worker, compile, lower
from gen.compile.a_tree.device_source import program
from gen.compile.a_tree.toolchain import PROOF
from gen.sim import Profile

ADD = "T.tile.add(x, x, x)"
PIPELINED = """\
import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1])
def double():
    @T.prim_func
    def main(x: T.Tensor((64, 128), "float32"), y: T.Tensor((64, 128), "float32")):
        with T.Kernel(1, is_npu=True) as (cid, vid):
            a = T.alloc_ub((4, 128), "float32")
            b = T.alloc_ub((4, 128), "float32")
            with T.Scope("V"):
                for k in T.Pipelined(8, num_stages=2):
                    T.copy(x[vid * 32 + k * 4, 0], a)
                    T.tile.add(b, a, a)
                    T.copy(b, y[vid * 32 + k * 4, 0])

    return main
"""

ROWS = """\
import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1])
def copy_rows():
    @T.prim_func
    def main(x: T.Tensor((16, {width}), "float32"), y: T.Tensor((16, {width}), "float32")):
        with T.Kernel(1, is_npu=True) as (cid, vid):
            a = T.alloc_ub((8, {width}), "float32")
            with T.Scope("V"):
                T.copy(x[vid * 8, 0], a)
                T.barrier_all()
                T.copy(a, y[vid * 8, 0])

    return main
"""


def test_statements_that_a_pipeline_moves_keep_their_python_line(worker: Worker) -> None:
    kernel = lower(Request("double.py", PIPELINED, with_lines=True), worker=worker)
    python = PIPELINED.splitlines()
    made: dict[str, list[str]] = {}
    for text, line in zip(kernel.source.splitlines(), kernel.lines, strict=True):
        if line:
            made.setdefault(python[line - 1].strip(), []).append(text.strip().partition("(")[0])
    assert made == {
        "T.copy(x[vid * 32 + k * 4, 0], a)": ["tl::ascend::copy_gm_to_ub<float, 128, 4>"] * 3,
        "T.tile.add(b, a, a)": ["AscendC::Add"] * 3,
        "T.copy(b, y[vid * 32 + k * 4, 0])": ["tl::ascend::copy_ub_to_gm<float, 128, 4>"] * 3,
    }


def test_an_element_that_is_stored_knows_its_python_line(worker: Worker) -> None:
    text = PROOF.replace(ADD, "x[3] = x[4] / 2.0")
    kernel = lower(Request("double.py", text, with_lines=True), worker=worker)
    origins = dict(zip(map(str.strip, kernel.source.splitlines()), kernel.lines, strict=True))
    (stored,) = [line for emitted, line in origins.items() if emitted.startswith("x.SetValue(3")]
    assert text.splitlines()[stored - 1].strip() == "x[3] = x[4] / 2.0"


def test_a_parallel_loop_is_told_by_its_only_statement(worker: Worker) -> None:
    text = PROOF.replace(ADD, "for i in T.Parallel(64):\n" + " " * 20 + "x[i] = x[i] * 2.0 + 1.0")
    kernel = lower(Request("double.py", text, with_lines=True), worker=worker)
    python = text.splitlines()
    made = {
        emitted.strip().partition("(")[0]: python[line - 1].strip()
        for emitted, line in zip(kernel.source.splitlines(), kernel.lines, strict=True)
        if line
    }
    assert made["AscendC::Muls"] == made["AscendC::Adds"] == "x[i] = x[i] * 2.0 + 1.0"
    assert made["tl::ascend::copy_ub_to_gm<float, 64>"] == "T.copy(x, Y[0])"


def test_moved_calls_that_two_lines_make_are_told_in_their_order(worker: Worker) -> None:
    text = PIPELINED.replace(
        "T.tile.add(b, a, a)", "T.tile.add(b, a, a)\n" + " " * 20 + "T.tile.add(b, a, a)"
    )
    kernel = lower(Request("double.py", text, with_lines=True), worker=worker)
    first = text.splitlines().index(" " * 20 + "T.tile.add(b, a, a)") + 1
    calls = [
        line
        for emitted, line in zip(kernel.source.splitlines(), kernel.lines, strict=True)
        if "AscendC::Add(" in emitted
    ]
    assert calls == [first, first + 1] * 3


@pytest.mark.parametrize(("width", "declared"), [(126, 1024), (128, 1024), (4, 64), (1, 8)])
def test_a_buffer_is_as_large_as_the_plan_of_the_compiler_has_it(
    width: int, declared: int, worker: Worker
) -> None:
    kernel = lower(Request("rows.py", ROWS.format(width=width)), worker=worker)
    assert f"GetWithOffset<float>({declared}, 0)" in program(kernel, "rows.cpp", {})


@pytest.mark.parametrize("width", [126, 4])
def test_rows_that_end_inside_of_a_block_are_copied_whole(width: int, worker: Worker) -> None:
    text = ROWS.format(width=width)
    kernel = compile(Path("rows.py"), text=text, worker=worker)
    x = np.arange(16 * width, dtype=np.float32).reshape(16, width)
    outputs = {"y": (x.dtype, x.shape)}
    found, run = kernel.run({"x": x}, outputs, Profile(chip="2201"), timeout=60)
    assert run.clean
    assert np.array_equal(found["y"], x)
