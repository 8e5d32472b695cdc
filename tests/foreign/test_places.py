"""What stops a run before its end has a line of the kernel, in whatever tree it is written."""

from __future__ import annotations

import io
import shutil
from pathlib import Path

import pytest
from rich.console import Console

from gen.check import Outcome
from gen.check.foreign import FileVerdict, RunOptions, run_file
from gen.compile.a_tree.toolchain import status
from gen.compile.m_tree import installed
from gen.show.file_verdict import lines, show, to_json
from gen.sim.printed import in_core_order

pytestmark = pytest.mark.skipif(not shutil.which("g++"), reason="needs g++")
needs_m = pytest.mark.skipif(bool(installed.missing()), reason="needs tilelang")
needs_a = pytest.mark.skipif(status().toolchain is None, reason="needs the A tree's compiler")

GEMM = Path(__file__).parents[2] / "out" / "gemm" / "m_tree.py"
A_TREE = """\
import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1])
def copied(n, dtype="float32"):
    @T.prim_func
    def main(x: T.Tensor((n,), dtype), y: T.Tensor((n,), dtype)):
        with T.Kernel(n // 128, is_npu=True) as (cid, vid):
            a = T.alloc_ub((n // 2,), dtype)
            T.copy(x[vid * (n // 2)], a)
            T.barrier_all()
            T.copy(a, y[vid * (n // 2)])

    return main
"""
M_TREE = """\
import tilelang
import tilelang.ascend.language as T


@tilelang.jit(target="ascend")
def scale(x):
    x: T.Tensor((256,), T.float32)
    y = T.empty((256,), T.float32)
    with T.Kernel(0) as core:
        x_ub = T.alloc_shared((256,), T.float32)
        T.copy(x[core * 256], x_ub)
        T.copy(x_ub, y[core * 256])
    return y
"""


def judged(folder: Path, text: str, **options: object) -> FileVerdict:
    path = folder / "kernel.py"
    path.write_text(text)
    return run_file(path, RunOptions(**options))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "front_end"),
    [
        pytest.param(A_TREE, "compiler", marks=needs_a),
        (A_TREE, "interpreter"),
        pytest.param(M_TREE, "default", marks=needs_m),
    ],
)
def test_a_kernel_of_no_block(tmp_path: Path, text: str, front_end: str) -> None:
    arguments = {"n": "64"} if text is A_TREE else {}
    verdict = judged(tmp_path, text, arguments=arguments, a_tree=front_end)
    (diagnostic,) = verdict.diagnostics
    assert (verdict.outcome, diagnostic.code, diagnostic.line) == (Outcome.FAILED, "E402", 9)
    assert "0 blocks" in diagnostic.message
    assert verdict.outputs == ()


@needs_m
def test_what_the_model_lacks_has_a_line(tmp_path: Path) -> None:
    text = GEMM.read_text().replace("(TILE_M, TILE_N), T.float32)", "(TILE_M, TILE_N), T.int32)")
    inputs = dict.fromkeys("AB", "float16[256,256]")
    verdict = judged(tmp_path, text, inputs=inputs)
    assert verdict.outcome is Outcome.UNSUPPORTED
    (fault,) = verdict.faults
    place = fault.places[0].origin
    assert place is not None
    assert (fault.code, place.text.strip()[:6]) == ("unsupported", "T.gemm")
    assert verdict.errors == ()  # it is no finding about the kernel
    assert any(f"--> {tmp_path}/kernel.py:{place.line}" in line for line in lines(verdict, 120))
    assert to_json(verdict)["findings"][0]["code"] == "unsupported"
    assert verdict.outputs == ()


DUMPS = """\
// launch: blocks=5 x=float32[40]:in y=float32[40]:out
#include "kernel_operator.h"
using namespace AscendC;

__global__ __vector__ void copied(GM_ADDR x, GM_ADDR y)
{
    LocalTensor<float> a(TPosition::VECCALC, 0, 8);
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float*)x + GetBlockIdx() * 8, 8);
    gy.SetGlobalBuffer((__gm__ float*)y + GetBlockIdx() * 8, 8);
    DataCopy(a, gx, 8);
    PipeBarrier<PIPE_ALL>();
    PRINTF("two\\nlines of %d", GetBlockIdx());
    DumpTensor(a, 7, 8);
    PRINTF("end\\n");
    DataCopy(gy, a, 8);
}
"""


def test_what_cores_print_stands_core_by_core_in_whole_lines(tmp_path: Path) -> None:
    path = tmp_path / "dumps.asc"
    path.write_text(DUMPS)
    verdict = run_file(path, RunOptions(inputs={"x": "float32[40]{arange}"}))
    wanted = [
        f"AIV0 of block {block}: {text}"
        for block in range(5)
        for text in (
            "two",
            f"lines of {block}",
            "DumpTensor 7: " + " ".join(str(8 * block + i) for i in range(8)),
            "end",
        )
    ]
    assert verdict.printed.splitlines() == wanted


def test_lines_of_the_host_stay_where_they_are() -> None:
    cores = ["AIV1 of block 0: b\n", "AIC0 of block 10: c\n", "AIV0 of block 2: d\n"]
    text = f"before\n{''.join(cores)}between\nAIV0 of block 1: e\nAIV0 of block 0: f\nAIV0 of block 0: a\nafter"
    assert in_core_order(text) == (
        "before\nAIV1 of block 0: b\nAIV0 of block 2: d\nAIC0 of block 10: c\n"
        "between\nAIV0 of block 0: f\nAIV0 of block 0: a\nAIV0 of block 1: e\nafter"
    )


def test_copies_that_the_compiler_makes_of_a_line_are_one_finding(tmp_path: Path) -> None:
    """A pipeline is written out into a prologue, a body and an epilogue; its races are those of the file's lines."""
    if status().toolchain is None:
        pytest.skip("needs the A tree's compiler")
    verdict = judged(tmp_path, PIPELINE, arguments={"n": "8"}, a_tree="compiler")
    lines_ = [tuple((p.origin or p).line for p in f.places) for f in verdict.errors]
    assert sorted((f.code, at) for f, at in zip(verdict.errors, lines_, strict=True)) == [
        ("race-raw", (13, 14)),
        ("race-raw", (14, 15)),
        ("race-war", (14, 13)),
        ("race-war", (15, 14)),
    ]


PIPELINE = """\
import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1])
def doubled(n):
    @T.prim_func
    def main(x: T.Tensor((n, 64), "float32"), y: T.Tensor((n, 64), "float32")):
        with T.Kernel(1, is_npu=True) as (cid, vid):
            a = T.alloc_ub((1, 64), "float32")
            b = T.alloc_ub((1, 64), "float32")
            for i in T.Pipelined(n // 2, num_stages=2):
                T.copy(x[vid * (n // 2) + i, 0], a)
                T.tile.add(b, a, a)
                T.copy(b, y[vid * (n // 2) + i, 0])

    return main
"""


def test_a_clean_run_says_that_no_values_were_compared(tmp_path: Path) -> None:
    path = tmp_path / "dumps.asc"
    path.write_text(DUMPS)
    console = Console(file=io.StringIO(), width=120)
    show(run_file(path), console)
    assert "values: not compared with anything" in console.file.getvalue()  # type: ignore[attr-defined]
