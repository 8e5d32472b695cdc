"""What stops a run before its end has a line of the kernel, in whatever tree it is written."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from gen.check import Outcome
from gen.check.foreign import FileVerdict, RunOptions, run_file
from gen.compile.a_tree.toolchain import status
from gen.compile.m_tree import installed
from gen.show.file_verdict import lines, to_json

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
