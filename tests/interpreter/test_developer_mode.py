"""threads=2 and inferred memories: what the compiler makes of kernels that leave both to it."""

from __future__ import annotations

from pathlib import Path

import pytest

from gen.compile.base import CompileError
from tests.interpreter.fronts import assert_agree, ready
from tests.interpreter.kernels import line_of, vector

SHARED = """\
import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1])
def kernel():
    @T.prim_func
    def main(
        x: T.Tensor((64, 128), "float32"),
        z: T.Tensor((3, 32, 128), "float32"),
        v: T.Tensor((64,), "float32"),
        y: T.Tensor((64, 128), "float32"),
    ):
        with T.Kernel(2, threads=2, is_npu=True) as cid:
            a = T.alloc_ub((16, 128), "float32")
            b = T.alloc_shared((16, 128), "float32")
            c = T.alloc_ub((16, 128), "float32")
            d = T.alloc_ub((2, 16, 128), "float32")
            h = T.alloc_ub((16, 128), "float16")
            s = T.alloc_ub((16,), "float32")
            column = T.alloc_ub((16, 1), "float32")
            row = T.alloc_ub((1, 128), "float32")
            bits = T.alloc_ub((16, 128), "uint8")

            with T.Scope("V"):
                T.copy(x[cid * 16, 0], a)
                T.barrier_all()
{body}
                T.barrier_all()
                T.copy(a, y[cid * 16, 0])
                T.copy(c, y[cid * 16 + 32, 0])

    return main
"""

AGREED = {
    "whole buffers": """
T.copy(x[cid * 16 + 32, 0], b)
T.tile.add(c, a, b)
T.tile.mul(c, c, 2.0)
T.tile.exp(c, c)
T.tile.fill(b, 3.0)
T.tile.sub(c, c, b)
T.tile.compare(bits, a, 0.5, "GT")
T.tile.sin(c, a)
T.reduce_sum(a, s, dim=-1)
T.reduce_max(a, column, dim=-1)
T.copy(a, h)
T.copy(h, b)
T.tile.cast(h, a, "CAST_RINT", 1024)
""",
    "parts": """
T.copy(x[5, 0], row)
T.copy(v[cid * 16], s)
T.copy(z[0:2, 0:16, :], d)
T.copy(x[cid * 16 : cid * 16 + 16, 0:128], b)
T.copy(z[1, cid * 16 : cid * 16 + 16, :], c)
T.copy(z[1, cid * 16, 0], c)
for i in T.serial(16):
    T.copy(x[cid * 16 + i, 0], b[i, :])
    T.tile.add(b[i, :], b[i, :], row)
for i in range(16):
    T.tile.mul(c[i, :], a[i, :], s[i])
for i in T.serial(4):
    k = i + 1
    T.tile.add(c[k, :], a[k, :], 1.0)
for i in T.serial(16):
    for j in T.serial(4):
        c[i, j] = a[i, j] * 3.0
for k in T.Pipelined(2, num_stages=2):
    T.copy(x[k * 16, 0], b)
    T.tile.add(c, c, b)
""",
}

REFUSED = {
    "not halved": ("T.tile.silu(c, a)  # <", "does not halve T.tile.silu"),
    "starts the buffer": ("T.tile.exp(c[0, :], a[0, :])  # <", "because it starts the buffer"),
    "odd": ("T.tile.exp(row, row)  # <", "its first dimension, 1, is odd"),
    "columns": ("T.reduce_sum(a, row, dim=0)  # <", "only along the last dimension"),
}

INFERRED = """\
import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-2])
def kernel():
    @T.prim_func
    def main(
        A: T.Tensor((64, 128), "float16"),
        B: T.Tensor((128, 64), "float16"),
        C: T.Tensor((64, 64), "float16"),
        D: T.Tensor((64, 64), "float16"),
    ):
        with T.Kernel(1, is_npu=True) as (cid, vid):
            a = T.alloc_shared((64, 64), "float16")
            b = T.alloc_shared((64, 64), "float16")
            c = T.alloc_fragment((64, 64), "float")
            p = T.alloc_shared((32, 64), "float16")
            q = T.alloc_shared((32, 64), "float16")
            r = T.alloc_shared((32, 64), "float16")

            with T.Scope("C"):
                for k in T.serial(2):
                    T.copy(A[0, k * 64], a)
                    T.copy(B[k * 64, 0], b)
                    T.barrier_all()
                    T.gemm_v0(a, b, c, init=(k == 0))
                    T.barrier_all()
                T.copy(c, C[0, 0])
                T.set_cross_flag("FIX", 0)

            with T.Scope("V"):
                T.wait_cross_flag(0)
                T.copy(C[vid * 32, 0], p)
                T.copy(D[vid * 32, 0], q)
                T.barrier_all()
                T.copy(q, r)
                for i in T.serial(32):
                    T.tile.mul(r[i, :], r[i, :], q[i, :])
                T.tile.add(p, p, r)
                T.barrier_all()
                T.copy(p, C[vid * 32, 0])

    return main
"""


def shared(body: str) -> str:
    """A kernel with threads=2 around these statements."""
    lines = "\n".join(" " * 16 + line for line in body.strip("\n").splitlines())
    return SHARED.format(body=lines)


@pytest.mark.usefixtures("compiler")
@pytest.mark.parametrize("name", AGREED)
def test_threads_of_two(name: str, tmp_path: Path) -> None:
    assert_agree(shared(AGREED[name]), tmp_path)


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_wrong_with_threads_of_two(name: str, tmp_path: Path) -> None:
    body, message = REFUSED[name]
    path = tmp_path / "kernel.py"
    path.write_text(shared(body), encoding="utf-8")
    with pytest.raises(CompileError) as raised:
        ready(path, "interpreter")
    (found,) = raised.value.diagnostics
    assert found.code == "E402"
    assert message in found.message
    assert "leave threads out" in found.help
    assert found.line == line_of(path.read_text("utf-8"), "# <")


@pytest.mark.usefixtures("compiler")
def test_inferred_memories(tmp_path: Path) -> None:
    assert_agree(INFERRED, tmp_path)


PLACES = """
q = T.alloc_ub((4, 64), "float32")
m1 = T.alloc_ub((4, 64), "float32")
m2 = T.alloc_ub((4, 64), "float32")
m3 = T.alloc_ub((4, 64), "float32")
m4 = T.alloc_ub((4, 64), "float32")
T.copy(x[0, 0], q)
T.barrier_all()
for i in T.serial(4):
    m1[i, 0] = q[i, 0] * 2.0
for i in T.serial(4):
    m2[i, 0] = m1[i, 0] * m1[i, 0]
for i in T.serial(4):
    m3[i, 0] = m2[i, 0] * m2[i, 1]
for i in T.serial(4):
    m4[i, 0] = m3[i, 0] * 2.0
    m4[i, 0] = m4[i, 0] + 1.0
T.barrier_all()
T.copy(m4, y[0, 128])
"""
"""A new buffer takes the place of an old one: once, again, not at another index, not where it is read itself."""


@pytest.mark.usefixtures("compiler")
def test_buffers_at_one_address(tmp_path: Path) -> None:
    assert_agree(vector(PLACES), tmp_path)
