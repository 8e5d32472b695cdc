"""The synchronisation that the A tree's compiler inserts when it is asked to, and the passes that do it."""

from __future__ import annotations

from pathlib import Path

import pytest

from gen.check.foreign.options import RunOptions
from gen.check.foreign.python_kernel import inspect
from gen.check.lowered import lower_file
from gen.compile.a_tree import Request, Worker, lower
from gen.compile.a_tree.dialect import DIALECT
from gen.compile.base import CompileError
from gen.compile.listing import Kind, listing

KERNEL = """\
import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1], pass_configs={@@})
def scaled():
    @T.prim_func
    def main(x: T.Tensor((64, 128), "float32"), y: T.Tensor((64, 128), "float32")):
        with T.Kernel(1, is_npu=True) as (cid, vid):
            a = T.alloc_ub((32, 128), "float32")
            b = T.alloc_ub((32, 128), "float32")
            with T.Scope("V"):
                T.copy(x[vid * 32, 0], a)
                T.tile.add(b, a, 1.0)
                T.tile.mul(b, b, 2.0)
                T.copy(b, y[vid * 32, 0])

    return main
"""
AUTO = KERNEL.replace("@@", '"tl.ascend_auto_sync": True')
PLANNED = KERNEL.replace("@@", '"tl.ascend_auto_sync": True, "tl.ascend_memory_planning": True')
PLAIN = KERNEL.replace("@@", "")


@pytest.mark.parametrize("text", [AUTO, PLANNED], ids=["auto_sync", "memory_planning too"])
def test_each_is_tied_to_its_statement(text: str, worker: Worker) -> None:
    kernel = lower(Request("kernel.py", text, with_lines=True), worker=worker)
    origins = {n: line for n, line in enumerate(kernel.lines, 1) if line}
    lines = listing(kernel.source, origins, DIALECT, kernel.inserted)
    python = text.splitlines()
    found = [
        (x.sync.kind, x.sync.key, python[x.guards - 1].strip().partition("(")[0])
        for x in lines
        if x.inserted and x.sync
    ]
    assert found == [
        (Kind.SET, "MTE2_V", "T.copy"),
        (Kind.WAIT, "MTE2_V", "T.tile.add"),
        (Kind.BARRIER, "", "T.tile.mul"),
        (Kind.SET, "V_MTE3", "T.tile.mul"),
        (Kind.WAIT, "V_MTE3", "T.copy"),
    ]
    assert not [x for x in lines if x.sync and not x.inserted]


def test_nothing_is_inserted_unasked(worker: Worker) -> None:
    kernel = lower(Request("kernel.py", PLAIN, with_lines=True), worker=worker)
    assert kernel.inserted == ()
    assert any(kernel.lines)


def test_what_is_written_beside_it_is_not_marked(worker: Worker) -> None:
    written = AUTO.replace(
        "                T.tile.mul(b",
        "                T.barrier_all()\n                T.tile.mul(b",
    )
    kernel = lower(Request("kernel.py", written, with_lines=True), worker=worker)
    texts = kernel.source.splitlines()
    barriers = {n for n, t in enumerate(texts, 1) if "PIPE_ALL" in t}
    assert barriers
    assert not barriers & set(kernel.inserted)
    assert {kernel.lines[n - 1] for n in barriers} == {
        written[: written.index("T.barrier_all")].count("\n") + 1
    }


def test_the_passes(worker: Worker) -> None:
    kernel = lower(Request("kernel.py", AUTO, with_passes=True), worker=worker)
    assert kernel.source == lower(Request("kernel.py", AUTO), worker=worker).source
    changes = {name: (before, after) for name, before, after in kernel.passes}
    before, after = changes["tl.AscendSyncInsert"]
    assert after.count("\n") > before.count("\n")
    assert all(b != a for _, b, a in kernel.passes)


@pytest.mark.usefixtures("compiler")
def test_findings_keep_their_lines_where_buffers_are_planned(tmp_path: Path) -> None:
    path = tmp_path / "kernel.py"
    path.write_text(PLANNED)
    kernel = lower_file(path, RunOptions())
    assert {kernel.statement(x.origin).partition("(")[0] for x in kernel.lines if x.origin} == {
        "T.copy",
        "T.tile.add",
        "T.tile.mul",
    }


MACRO = """\
import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1], pass_configs={"tl.ascend_auto_sync": True})
def scaled(n):
    @T.macro
    def doubled(src, a):
        for i in T.serial(2):
            T.tile.add(a, a, src)

    @T.macro
    def body(source: T.Tensor((n,), "float32"), target: T.Tensor((n,), "float32"), vid, a):
        T.copy(source[vid * 64], a)
        doubled(a, a)
        T.copy(a, target[vid * 64])

    @T.prim_func
    def main(x: T.Tensor((n,), "float32"), y: T.Tensor((n,), "float32")):
        with T.Kernel(1, is_npu=True) as (cid, vid):
            a = T.alloc_ub((64,), "float32")
            body(x, y, vid, a)

    return main
"""


def test_statements_of_a_macro_are_where_they_stand(worker: Worker) -> None:
    request = Request("kernel.py", MACRO, "scaled", {"n": 128}, with_lines=True)
    kernel = lower(request, worker=worker)
    origins = {n: line for n, line in enumerate(kernel.lines, 1) if line}
    lines = listing(kernel.source, origins, DIALECT, kernel.inserted)
    python = MACRO.splitlines()
    calls = {python[x.origin - 1].strip() for x in lines if x.origin and "(" in x.text}
    assert calls >= {
        "T.copy(source[vid * 64], a)",
        "T.tile.add(a, a, src)",
        "T.copy(a, target[vid * 64])",
    }
    guarded = {python[x.guards - 1].strip().partition("(")[0] for x in lines if x.inserted}
    assert guarded == {"T.copy", "T.tile.add"}


def test_a_mistake_in_a_macro_is_told_at_its_line(worker: Worker) -> None:
    wrong = Request("kernel.py", MACRO.replace("T.tile.add", "T.tile.ad"), "scaled", {"n": 128})
    with pytest.raises(CompileError) as caught:
        lower(wrong, worker=worker)
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.source_line.strip() == "T.tile.ad(a, a, src)"


def test_tensors_of_a_macro_are_what_the_kernel_gives_it() -> None:
    kernel = inspect(MACRO)
    assert (kernel.role("x"), kernel.role("y")) == ("in", "out")


PIPELINE = """\
import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1])
def product(K):
    @T.prim_func
    def main(
        A: T.Tensor((64, K), "float16"),
        B: T.Tensor((K, 64), "float16"),
        C: T.Tensor((64, 64), "float"),
    ):
        with T.Kernel(1, is_npu=True) as (cid, vid):
            a = T.alloc_L1((64, 64), "float16")
            b = T.alloc_L1((64, 64), "float16")
            c = T.alloc_L0C((64, 64), "float")
            with T.Scope("C"):
                for k in T.Pipelined(K // 64, num_stages=2):
                    T.barrier_all()  # first
                    T.copy(A[0, k * 64], a)
                    T.copy(B[k * 64, 0], b)
                    if k == 0:
                        T.gemm_v0(a, b, c, init=True)
                    else:
                        T.gemm_v0(a, b, c)
                    T.barrier_all()  # last
                T.copy(c, C)

    return main
"""


def test_statements_of_a_pipeline_that_look_alike(worker: Worker) -> None:
    """Every call and every barrier that the file has is tied to one of its lines, in the order of the loop's body."""
    kernel = lower(
        Request("kernel.py", PIPELINE, "product", {"K": 512}, with_lines=True), worker=worker
    )
    python = [""] + [line.strip() for line in PIPELINE.splitlines()]
    tied = [
        (text.strip(), python[line])
        for text, line in zip(kernel.source.splitlines(), kernel.lines, strict=True)
        if "tl::ascend::" in text or "PipeBarrier" in text
    ]
    assert all(line for _, line in tied)
    gemms = {line for text, line in tied if "gemm_v0" in text and "(bool)1" in text}
    assert gemms == {"T.gemm_v0(a, b, c, init=True)"}
    assert {line for text, line in tied if "gemm_v0" in text} - gemms == {"T.gemm_v0(a, b, c)"}
    barriers = [line for text, line in tied if "PipeBarrier" in text]
    assert barriers == ["T.barrier_all()  # first", "T.barrier_all()  # last"] * (
        len(barriers) // 2
    )
