"""Compiler and interpreter make the same of every operation of the language, and of statements around them."""

from __future__ import annotations

from pathlib import Path

import pytest

from gen.check.agreement import DIFFERENCE
from gen.check.foreign import RunOptions, run_file
from tests.interpreter.kernels import cube, vector

pytestmark = pytest.mark.usefixtures("compiler")

VECTOR = {
    "conditions as numbers, and quotients of elements": """
for i in T.serial(4):
    if (i & 1) & (cid == 0):
        T.tile.add(c, a, 1.0)
    if (cid == 0) | (i & 2):
        T.tile.add(c, c, 1.0)
    if (i & 1) ^ (vid == 0):
        T.tile.add(c, c, 2.0)
    if 1 & (i > 2):
        T.tile.add(c, c, 3.0)
    c[i, 0] = a[i, 0] / 3.0 - b[i, 0] / 7
""",
    "operators on bits": """
s = T.alloc_var("int32", 6)
s = n[0, 3]
for i in T.serial(6):
    if i & 1:
        T.tile.add(c, a, 1.0)
    if (s >> 1) & 1 == vid:
        T.tile.add(c, a, 2.5)
    if ~i & 2:
        T.tile.add(c, a, 2.0)
    if (i ^ cid) | 2 == 3:
        T.tile.add(c, a, 3.0)
    if (1 << i) & 20:
        T.tile.exp(c[i & 3, :], a[i, :])
if s & 1:
    T.tile.add(c, c, 4.0)
""",
    "one of two": """
for i in T.serial(4):
    k = T.if_then_else(i > 1, T.float32(2), T.float32(0.5))
    T.tile.add(c, a, k)
    T.tile.add(c, c, T.Select(i > 1, T.float32(2), T.float32(0.5)))
    T.tile.mul(m, n, T.Select(i > 1, 2, 3))
""",
    "arithmetic": """
T.tile.add(c, a, b)
T.tile.sub(c, c, b)
T.tile.mul(a, c, b)
T.tile.div(c, a, b)
T.tile.max(a, c, b)
T.tile.min(c, a, b)
T.tile.mul(m, n, n)
T.tile.max(n, n, m)
T.tile.sub(n, n, m)
""",
    "numbers": """
T.tile.add(c, a, 1 / 3)
T.tile.mul(c, c, 0.1)
T.tile.max(c, c, 3)
T.tile.min(c, c, -2.5)
T.tile.sub(c, c, 0.7)
T.tile.div(c, c, 3)
T.tile.div(c, c, 1003.0)
T.tile.add(c, c, cid)
T.tile.mul(c, c, T.cast(vid, "float32"))
T.tile.add(c, c, T.float32(1 / 7) * cid)
T.tile.mul(n, n, 3)
""",
    "numbers in float16": """
T.tile.add(h, h, 0.1)
T.tile.mul(h, h, 3)
T.tile.div(h, h, 3.5)
T.tile.sub(h, h, 1 / 3)
T.tile.cast(c, h, "CAST_NONE", 1024)
""",
    "elements as numbers": """
T.tile.add(c, a, line[3])
T.tile.sub(c, c, line[4])
T.tile.mul(c, c, column[2, 0])
T.tile.max(c, c, line[cid])
T.tile.div(c, c, line[5])
""",
    "functions": """
T.tile.exp(c, a)
T.tile.ln(c, c)
T.tile.abs(c, c)
T.tile.reciprocal(a, c)
T.tile.sqrt(c, c)
T.tile.rsqrt(a, c)
T.tile.relu(a, a)
T.tile.exp(g, h)
T.tile.relu(n, n)
""",
    "functions with scratch space": """
T.tile.sigmoid(c, a)
T.tile.silu(a, c)
T.tile.sin(c, a)
T.tile.cos(a, c)
T.tile.pow(c, a, b)
T.tile.round(a, c, 1024)
T.tile.clamp(c, a, -1.0, 0.5, 1024)
T.tile.clamp_max(a, c, 0.3, 1024)
T.tile.clamp_min(c, a, -0.3, 1024)
""",
    "scaled": """
T.tile.leaky_relu(c, a, 0.01)
T.tile.axpy(c, b, 0.5)
T.tile.mul_add_dst(c, a, b)
""",
    "bits": """
T.tile.fill(w, 3)
T.tile.bitwise_and(w, w, w)
T.tile.bitwise_or(w, w, w)
T.tile.bitwise_not(w, w)
T.tile.bitwise_lshift(w, w, 2)
T.tile.bitwise_rshift(w, w, 1)
""",
    "conversions": """
T.tile.cast(bf, a, "CAST_RINT", 1024)
T.tile.cast(c, bf, "CAST_NONE", 1024)
T.tile.cast(h, c, "CAST_RINT", 1024)
T.tile.cast(n, a, "CAST_TRUNC", 1024)
T.tile.cast(c, n, "CAST_NONE", 1024)
""",
    "copies in UB": """
T.copy(a, h)
T.copy(h, c)
T.copy(a[0:4, :], c[4:8, :])
T.copy(a[0:4, 0:32], c[4:8, 32:64])
T.copy(a[1, :], line)
""",
    "tails": """
T.copy(x[cid * 50, 480], a)
T.copy(x[cid * 20 : cid * 20 + 16, 448:512], b)
T.copy(x[cid : cid + vid + 1, 0:64], b)
T.copy(x[60, 500], c, pad_value=-T.infinity("float32"))
T.copy(halves[90, 0], h, pad_value=1.5)
T.copy(c, y[56, 480])
T.copy(line, y[63, 500])
T.copy(a[2:3, 0:32], y[0, 200])
""",
    "filled": """
T.tile.fill(a, 1.5)
T.tile.clear(b)
T.tile.fill(h, -T.infinity("float16"))
T.tile.createvecindex(n, 3)
T.tile.arith_progression(m, 1, 2, 1024)
T.tile.arith_progression(c, 1.5, 0.25, 512)
""",
    "comparisons": """
T.tile.compare(bits, a, b, "GT")
T.tile.select(c, bits, a, b, "VSEL_TENSOR_TENSOR_MODE")
T.tile.compare(bits, a, 0.5, "LE")
T.tile.select(c, bits, a, 0.25, "VSEL_TENSOR_SCALAR_MODE")
T.tile.compare(bits, a, line[3], "GE")
""",
    "rows and columns": """
T.reduce_sum(a, column, dim=-1)
T.tile.broadcast(c, column)
T.reduce_max(a, row, dim=0)
T.tile.broadcast(c, row)
T.tile.broadcast(a, line)
T.tile.broadcast(c, heights, axis=1)
T.reduce_min(a, heights)
T.reduce_max(a, heights, dim=1, clear=False)
T.reduce_sum(a, column, dim=-1, clear=False)
""",
    "masks and strides": """
T.tile.brcb_experiment(c, line, 2, 1, 8)
T.tile.row_expand_mul_experiment(c, a, heights, b)
T.tile.sub_experiment(c, a, b, 100)
T.tile.abs_experiment(c, a, 37)
T.tile.mins_experiment(c, a, 0.5, 64)
T.tile.wholereducemax(line, a, 64, 4, 1, 1, 8)
T.tile.block_reduce_sum(line, a, 2, 64, 1, 1, 8)
T.tile.gather(c, a, offsets, 0)
""",
    "sorting": """
pairs = T.alloc_ub((2048,), "float32")
few = T.alloc_ub((2, 64), "float32")
T.tile.sort(pairs, a, 1024)
T.tile.gather_mask(c, pairs, "P0101")
T.tile.sort(pairs, b, 999)
T.tile.gather_mask(a, pairs, "P1010")
T.tile.sort(few, line, 64)
T.tile.add(c[0, :], few[0, :], 1.0)
T.tile.sort(few, line, 40)
T.tile.sort(few, line, 33)
T.tile.add(c[1, :], few[1, :], 1.0)
T.tile.sort(few, line, 20)
T.tile.add(c[2, :], few[0, :], 1.0)
""",
    "sorting of so many": """
pairs = T.alloc_ub((2048,), "float32")
T.tile.sort(pairs, a, 100 * cid + 50 * vid + 300)
T.tile.gather_mask(c, pairs, "P0101")
k = T.max(T.min(n[0, 3], 20), 0) * 16 + 64
T.tile.sort(pairs, b, k)
T.tile.gather_mask(a, pairs, "P0101")
""",
    "sorting float16": """
pairs = T.alloc_ub((2048,), "float16")
T.tile.sort(pairs, h, 1024)
T.tile.gather_mask(g, pairs, "P0101")
T.tile.cast(c, g, "CAST_NONE", 1024)
T.tile.sort(pairs, h, 500)
T.tile.gather_mask(h, pairs, "P0101")
T.tile.cast(a, h, "CAST_NONE", 1024)
""",
    "the first ones": """
top = T.alloc_ub((64,), "float32")
T.tile.topk(top, line, 20, 64)
T.tile.add(c[0, :], top, 1.0)
T.tile.topk(top, line, 5, 50)
T.tile.add(c[1, :], top, 1.0)
T.tile.silu(a, b)
""",
    "merging": """
pairs = T.alloc_ub((2, 64), "float32")
more = T.alloc_ub((4, 64), "float32")
out = T.alloc_ub((8, 64), "float32")
T.tile.createvecindex(offsets, 3)
T.tile.sort32(pairs, line, offsets)
T.tile.merge_sort(out, pairs[0, :], pairs[1, :])
T.tile.merge_sort(more, pairs[0, :], pairs[1, :], out[2, :])
T.tile.add(c[0, :], more[0, :], 1.0)
T.tile.merge_sort(out, pairs[0, :], more[:2, :], pairs[1, :], more[3, :])
T.tile.add(c[1, :], out[0, :], 1.0)
T.tile.merge_sort(out, pairs, more)
T.tile.add(c[2, :], out[1, :], 1.0)
T.tile.init_sort_buf(out, 512, 512)
T.tile.add(c[3, :], out[7, :], 1.0)
""",
    "blocks": """
T.tile.createvecindex(offsets, 0)
T.tile.bitwise_lshift(offsets, offsets, 6)
T.tile.gatherb(c, a, offsets, 8, 1, 8)
T.tile.gatherb(c, b, offsets, 2, 2, 17)
halves_of_c = T.alloc_ub((16, 64), "float16")
T.tile.gatherb(halves_of_c, h, offsets, 3, 1, 8)
T.tile.cast(a, halves_of_c, "CAST_NONE", 1024)
""",
    "parts": """
T.tile.add(a[3, :], a[4, :], b[0, :])
T.tile.add(a[:4, :], a[:4, :], b[:4, :])
T.tile.exp(c[2:, :], a[2:, :])
T.tile.mul(a[vid, :], b[cid, :], line)
T.tile.fill(c[3, :], 2.0)
""",
    "elements": """
a[2, 3] = 1.0
a[vid, 3] = b[1, 2] * 2.0 + a[0, 0]
n[2, 3] = n[1, 1] + 3
h[1, 1] = 1.5
k = a[3, 3]
q = k + 1.0
T.tile.add(c, b, k)
T.tile.add(c, c, q)
T.tile.mul(c, c, q * k)
""",
    "memory decides": """
k = T.max(T.min(n[2, 3], 20), 0)
T.copy(x[k, 0], a)
if n[1, 1] > 2:
    T.tile.fill(c, 1.0)
else:
    T.tile.fill(c, 2.0)
if a[0, 0] > 0.0:
    T.tile.add(c, c, 1.0)
for i in T.serial(n[0, 1]):
    T.tile.add(c, c, i)
v = T.alloc_var("int32", 0)
while v < n[0, 0]:
    T.tile.mul(c, c, 1.5)
    v = v + 1
""",
    "atomic": """
T.tile.atomic_add(y[cid * 32 + vid * 16, 128], a)
""",
    "printing": """
T.printf("block %d\\n", cid)
T.dump_tensor(a, 7, 8, (2, 4))
T.tile.add(c, a, b)
""",
    "control": """
for i in T.serial(4):
    if i == 2:
        T.loop_break()
    T.tile.add(c, a, i)
for i in T.unroll(3):
    T.tile.add(a, a, i)
for i in range(2, 5):
    T.tile.add(a, a, i)
if T.Or(cid == 0, vid == 1):
    T.tile.add(a, a, 1.0)
if not cid == 0:
    T.tile.add(a, a, 2.0)
if cid == 1 or vid == 1:
    T.tile.add(a, a, 3.0)
k = T.if_then_else(cid == 1, 3, 4)
T.tile.add(a, a, k * 2)
T.tile.add(a, a, T.Select(vid == 0, T.float32(1.5), T.float32(2.5)))
T.copy(x[T.min(cid * 3, 2), T.max(vid, 1)], line)
""",
    "names of blocks": """
k = cid + 1
for i in T.serial(3):
    T.set_flag("v", "mte3", k)
    T.wait_flag("v", "mte3", k)
    k = T.min(k + i, 5)
    T.set_flag("v", "mte3", k)
    T.wait_flag("v", "mte3", k)
    for j in range(2):
        k = T.max(j, k)
        T.set_flag("v", "s", k)
        T.wait_flag("v", "s", k)
q = 1
if 2 > 3:
    q = 2
T.set_flag("v", "mte3", q)
T.wait_flag("v", "mte3", q)
T.tile.add(c, a, b)
""",
    "elements of all lanes": """
for i, j in T.Parallel(16, 64):
    c[i, j] = a[i, j] * 2.0 + 1.0
for i, j in T.Parallel(16, 64):
    c[i, j] = (a[i, j] + b[i, j]) * (a[i, j] - c[i, j])
for i, j in T.Parallel(16, 64):
    a[i, j] = T.exp(b[i, j]) / (c[i, j] + 1.5)
for i, j in T.Parallel(16, 64):
    a[i, j] = T.max(a[i, j], 0)
for i in T.Parallel(64):
    line[i] = line[i] * line[3] - 2.0
""",
}
CUBE = {
    "tails": """
for k in T.serial(4):
    T.copy(A[cid * 64, k * 64], a)
    T.copy(B[k * 64, 0], b)
    T.gemm_v0(a, b, c, init=(k == 0))
T.copy(c, C[cid * 64, 0])
""",
    "relu, and L0": """
for k in T.serial(4):
    T.copy(A[cid * 64, k * 64], a)
    T.copy(B[k * 64, 0], b)
    T.barrier_all()
    for kk in T.serial(2):
        T.copy(a[0, kk * 32], a0)
        T.copy(b[kk * 32, 0], b0)
        T.barrier_all()
        T.mma(a0, b0, c, init=T.And(k == 0, kk == 0))
        T.barrier_all()
T.copy(c, C[cid * 64, 0], enable_relu=True)
""",
    "a ring": """
for k in T.serial(3):
    T.copy(A[cid * 64, k * 64], ring_a[k % 2, :, :])
    T.copy(B[k * 64, 0], ring_b[k % 2, :, :])
    T.gemm_v0(ring_a[k % 2, :, :], ring_b[k % 2, :, :], c, init=(k == 0))
T.copy(c, C[cid * 64, 0])
""",
}


def agree(path: Path) -> None:
    verdict = run_file(path, RunOptions(a_tree="both", witnesses=False))
    assert not [fault for fault in verdict.faults if fault.code == DIFFERENCE]
    assert verdict.front_end.endswith("= interpreter"), verdict.reason


@pytest.mark.parametrize("name", VECTOR)
def test_vector(name: str, tmp_path: Path) -> None:
    path = tmp_path / "kernel.py"
    path.write_text(vector(VECTOR[name]), encoding="utf-8")
    agree(path)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "int8"])
@pytest.mark.parametrize("name", CUBE)
def test_cube(name: str, dtype: str, tmp_path: Path) -> None:
    path = tmp_path / "kernel.py"
    out = "int32" if dtype == "int8" else dtype
    path.write_text(cube(CUBE[name], dtype=dtype, out=out), encoding="utf-8")
    agree(path)
