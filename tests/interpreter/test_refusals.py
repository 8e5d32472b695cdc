"""What the compiler refuses, or takes and gets wrong, is refused at its line, with what to write instead."""

from __future__ import annotations

from pathlib import Path

import pytest

from gen.compile.a_tree import interpreter
from gen.compile.base import CompileError
from gen.errors import Diagnostic
from tests.interpreter.kernels import cube, line_of, vector

# One statement each (the marked line is the one that is named), what is said, and what to write instead.
VECTOR = {
    "a number of 64 bits": (
        "k = cid * 2\nT.tile.mul(n, n, k)  # <",
        "64 bits wide in the C++",
        "int32",
    ),
    "notes in the kernel": (
        'T.func_attr({"enable_auto_sync": True})  # <',
        "stands in a T.Kernel",
        "start of the function",
    ),
    "and": ("if cid == 0 and vid == 0:  # <\n    T.barrier_all()", "behind `and`", "T.And(a, b)"),
    "chained comparison": (
        "if 0 <= cid < 1:  # <\n    T.barrier_all()",
        "comparison of three",
        "T.And(a < b, b < c)",
    ),
    "conditional expression": (
        "k = 1 if cid == 0 else 2  # <",
        "does not take `x if c else y`",
        "T.if_then_else",
    ),
    "both bounds": ("T.tile.exp(c[0:4, :], a[0:4, :])  # <", "both bounds", "x[:4, :]"),
    "sorted into too little": (
        "T.tile.sort(c, a, 1000)  # <",
        "T.tile.sort writes 2048 elements",
        "",
    ),
    "the first of two dimensions": (
        "T.tile.topk(line, a, 32, 1024)  # <",
        "right for one dimension",
        "one-dimensional",
    ),
    "the first of float16": (
        "q = T.alloc_ub((64,), 'float16')\nT.tile.topk(q, q, 32, 64)  # <",
        "less scratch space than it needs",
        "float32",
    ),
    "merged float16": ("T.tile.merge_sort(h, g, g)  # <", "a pair for two elements", "float32"),
    "an order of nothing": ("T.tile.init_sort_buf(c, 64, 0)  # <", "its last argument", "n, n"),
    "a sorted part": ("T.tile.sort(c, a[0, :], 64)  # <", "takes whole buffers", "T.copy"),
    "indices of another type": ("T.tile.sort32(c, a, n)  # <", "indices of T.tile.sort32", ""),
    "columns": ("T.tile.exp(c[:, :32], a[:, :32])  # <", "and not its columns", "whole rows"),
    "size of a core": (
        "T.tile.exp(c[cid:, :], a[cid:, :])  # <",
        "whose size only a core knows",
        "whole buffer",
    ),
    "index beside a slice": (
        "T.copy(x[0:16, cid], a)  # <",
        "copies one column of x, and not 64",
        "an index for every dimension",
    ),
    "size computed inside": (
        "half_size = 32 // 2\nq = T.alloc_ub((half_size, 64), 'float32')  # <\nT.tile.fill(q, 1.0)",
        "must be a constant",
        "outside of the kernel body",
    ),
    "rows of one element": (
        "T.copy(column, y[0, 0])  # <",
        "rows of one element of column 32 bytes apart",
        "one dimension",
    ),
    "less than a block": (
        "T.copy(column[2:4, :], column[4:6, :])  # <",
        "8 bytes are rounded down to 0",
        "T.tile.max(dst, src, src)",
    ),
    "two types in a copy": ("T.copy(x[0, 0], h)  # <", "T.copy does not convert", "T.tile.cast"),
    "two types in an operation": ("T.tile.add(c, a, h)  # <", "takes one type", "T.tile.cast"),
    "second source too short": (
        "T.tile.add(c, a, line)  # <",
        "reads 1024 elements of line",
        "broadcast",
    ),
    "sizes": ("T.tile.exp(c, line)  # <", "as many elements everywhere", ""),
    "bfloat16": ("T.tile.add(bf, bf, bf)  # <", "does not exist for bfloat16", "float32"),
    "minus minus": ("T.tile.sub(c, a, -1.5)  # <", "another minus in front", "T.tile.add(…, 1.5)"),
    "quotient of integers": ("T.tile.div(n, n, 3)  # <", "does not exist for int32", ""),
    "second index": ("T.tile.add(c, a, row[0, 5])  # <", "only the first index", "one dimension"),
    "in place": ("T.tile.sigmoid(a, a)  # <", "cannot work in place", "another destination"),
    "pipe": ("T.set_flag('mte2', 'vector', 1)  # <", "there is no pipe 'vector'", "mte1"),
    "scope": (
        "with T.Scope('vector'):  # <\n    T.barrier_all()",
        "every name but",
        'T.Scope("V")',
    ),
    "not a multiple of 256 bytes": (
        "T.tile.compare(bits[0, :], line[:21], line[:21], 'GT')  # <",
        "multiples of 256 bytes",
        "",
    ),
    "broadcast": ("T.tile.broadcast(c, heights, axis=0)  # <", "cannot be broadcast", ""),
    "rows of 126": (
        "q = T.alloc_ub((16, 63), 'float32')\nT.copy(x[0, 0], q)\nT.tile.add(q, q, q)  # <",
        "rows of q have 252 bytes",
        "rows of 64 elements",
    ),
    "group": (
        "for i, j in T.Persistent([2, 9], 4, cid):  # <\n    T.barrier_all()",
        "8 does not divide 9",
        "group_size=3",
    ),
    "real_shape": (
        "T.reduce_sum(a, column, real_shape=[16, 40])  # <",
        "rows of a are taken to be 160 bytes apart",
        "as wide as the row",
    ),
    "sum of float16": (
        "q = T.alloc_ub((64,), 'float16')\nT.reduce_sum(h, q, dim=0)  # <",
        "of float16 is emitted as one WholeReduceSum",
        "float32",
    ),
    "added up": (
        "k = 0\nfor i in T.serial(3):\n    k = k + i  # <\n    T.set_flag('v', 's', k)",
        "does not add up over the loop",
        "T.alloc_var",
    ),
    "old value": (
        "k = 1\nif cid == 0:\n    k = 2\nT.set_flag('v', 's', k)  # <",
        "`k` still has its old value",
        "T.alloc_var",
    ),
    "gone": (
        "for i in T.serial(3):\n    k = i\nT.set_flag('v', 's', k)  # <",
        "`k` is not defined here",
        "in front of the block",
    ),
    "break": ("for i in T.serial(3):\n    break  # <", "no `break`", "T.loop_break()"),
    "one of two operations": (
        "several(a, c)  # <",
        "keeps only the one that it returns",
        "@T.macro",
    ),
    "unknown operation": ("T.tile.tan(c, a)  # <", "has no attribute 'tan'", ""),
    "name of the other tree": (
        "q = T.alloc_l1((64, 64), 'float16')  # <",
        "has no attribute",
        "alloc_L1",
    ),
    "variable as a number": (
        "v = T.alloc_var('float32', 1.0)\nT.tile.add(c, a, v)  # <",
        "takes a variable of T.alloc_var for a buffer",
        "k = v",
    ),
    "too many indices": ("T.copy(x[0, 0, 0], a)  # <", "has 2 dimensions, and 3 indices", ""),
    "GM to GM": ("T.copy(x[0:16, 0:64], y[0, 0])  # <", "from GM to GM does not exist", "L1"),
    "columns of rows": (
        "T.copy(x[0:16, 0:32], a[:, 0:32])  # <",
        "rows of a are 64 elements apart, and this copy takes them to be 32 apart",
        "rows of 32 elements",
    ),
    "columns of rows to GM": (
        "T.copy(c[:, 32:64], y[0:16, 0:32])  # <",
        "rows of c are 64 elements apart",
        "c[r, …]",
    ),
    "range in a macro": ("twice(c, a)", "does not take `range` in a macro", "T.serial"),
    "return": ("if cid == 0:\n    return  # <", "fails on `return`", "under `if`"),
    "quotient with /": (
        "for i in T.serial(4):\n    if i / 2 == 1:  # <\n        T.tile.add(c, a, b)",
        "does not divide integers of a core with `/`",
        "a // b",
    ),
    "T.if_then_else as a number": (
        "for i in T.serial(4):\n    T.tile.add(c, a, T.if_then_else(i > 1, T.float32(2), T.float32(0.5)))  # <",
        "takes T.if_then_else, and operators on bits, for a buffer",
        "T.Select",
    ),
    "T.if_then_else as a number to compare with": (
        "T.tile.compare(bits[0, :], line, T.if_then_else(vid > 0, T.float32(1), T.float32(2)), 'GT')  # <",
        "takes T.if_then_else, and operators on bits, for a buffer",
        "T.Select",
    ),
    "a part as the bits to select by": (
        "T.tile.select(c, bits[0, :], a, b, 'VSEL_TENSOR_TENSOR_MODE')  # <",
        "takes a whole buffer of bits, not a part of bits",
        "of their own",
    ),
    "bits as a number": ("T.tile.add(n, n, cid & 1)  # <", "operators on bits", "// and %"),
    "bits with a name": ("k = cid & 1\nT.tile.add(n, n, k)  # <", "operators on bits", "// and %"),
    "bits of a float": (
        "k = line[0]\nif k & 1:  # <\n    T.barrier_all()",
        "`&` takes integers",
        "T.cast(x, 'int32')",
    ),
    "bfloat16 to float16": (
        "T.tile.cast(h, bf, 'CAST_NONE', 1024)  # <",
        "Cast does not convert bfloat16 to float16 on 910B",
        "go through float32",
    ),
    "bfloat16 to float16 by a copy": (
        "T.copy(bf, h)  # <",
        "Cast does not convert bfloat16 to float16",
        "go through float32",
    ),
    "out of UB": (
        "q = T.alloc_ub((512, 512), 'float32')\nT.tile.fill(q, 1.0)",
        "UB has 196,352",
        "smaller",
    ),
    "two of a name": (
        "q = T.alloc_ub((16,), 'float32')\nT.tile.fill(q, 1.0)\nq = T.alloc_ub((16,), 'int32')\nT.tile.fill(q, 1)",
        "two buffers are called q",
        "name of its own",
    ),
}
SEVERAL = """
@T.macro
def twice(c, a):
    for i in range(2):  # macro
        T.tile.exp(c, a)


def several(a, c):
    T.tile.exp(c, a)
    return T.tile.exp(a, c)
"""
CUBE = {
    "float32 as stored": (
        "T.copy(A[0, 0], a)\nT.copy(B[0, 0], b)\nT.gemm_v0(a, b, c, init=True)  # <",
        "float32",
        "L1 to L0 cannot transpose 4-byte elements",
    ),
    "K of the operands": (
        "T.gemm_v0(a, a, c, init=True)  # <",
        "float16",
        "the product is 64 × 64, and c is 64 × 96",
    ),
    "staged tail": (
        "for k in T.serial(4):\n"
        "    T.copy(A[0, k * 64], ring_a[k % 2, :, :])\n"
        "    T.copy(B[k * 64, 0], ring_b[k % 2, :, :])\n"
        "    T.gemm_v0(ring_a[k % 2, :, :], ring_b[k % 2, :, :], c, init=(k == 0))  # <",
        "float16",
        "only 8 of the 64 columns of K are loaded",
    ),
    "UB to L1": (
        "q = T.alloc_ub((64, 64), 'float16')\nT.copy(q, a)  # <",
        "float16",
        "emit only one half of the copy",
    ),
    "GM to L0": ("T.copy(A[0, 0], a0)  # <", "float16", "from GM to L0A does not exist"),
    "fractals": (
        "q = T.alloc_L1((64, 40), 'float16')\nT.copy(A[0, 0], q)  # <",
        "float16",
        "L1 holds fractals of 16 × 16",
    ),
}


def said(text: str, tmp_path: Path) -> Diagnostic:
    path = tmp_path / "kernel.py"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(CompileError) as caught:
        interpreter.compile(path)
    (found,) = caught.value.diagnostics
    return found


@pytest.mark.parametrize("name", VECTOR)
def test_vector(name: str, tmp_path: Path) -> None:
    body, message, help = VECTOR[name]
    text = vector(body, before=SEVERAL)
    found = said(text, tmp_path)
    assert found.code == "E402"
    assert message in found.message
    assert help in found.help
    if "# <" in text:
        assert found.line == line_of(text, "# <")
    elif "twice(" in body:
        assert found.line == line_of(text, "# macro")


@pytest.mark.parametrize("name", CUBE)
def test_cube(name: str, tmp_path: Path) -> None:
    body, dtype, message = CUBE[name]
    text = cube(body, dtype=dtype, out=dtype)
    found = said(text, tmp_path)
    assert message in found.message
    assert found.line == line_of(text, "# <")


LAUNCHES = {
    "T.Kernel(2, threads=128, is_npu=True) as (cid, vid)": "must be 1 or 2, but got 128",
    "T.Kernel(2) as (cid, vid)": "makes a kernel for a GPU",
    "T.Kernel(2, 2, is_npu=True) as (cid, vid)": "one block dimension",
    "T.Kernel(2, threads=1, is_npu=True) as (cid, vid)": "cannot unpack",
}


@pytest.mark.parametrize("launch", LAUNCHES)
def test_launches(launch: str, tmp_path: Path) -> None:
    text = vector("T.tile.add(c, a, b)").replace("T.Kernel(2, is_npu=True) as (cid, vid)", launch)
    found = said(text, tmp_path)
    assert LAUNCHES[launch] in found.message
    assert found.line == line_of(text, "with T.Kernel")


def test_vector_work_on_the_cube_core(tmp_path: Path) -> None:
    text = vector("T.tile.add(c, a, b)").replace('T.Scope("V")', 'T.Scope("C")')
    found = said(text, tmp_path)
    assert 'T.Scope("C") runs, has none' in found.message
    assert 'T.Scope("V")' in found.help
    assert found.line == line_of(text, "T.copy(x[cid * 32 + vid * 16, 0], a)")


def test_what_only_the_compiler_has(tmp_path: Path) -> None:
    found = said(vector("for i in T.serial(n[0, 0] + 1):\n    T.tile.exp(c, a)"), tmp_path)
    assert found.code == "E405"
    assert "--a-tree compiler" in found.help


PASSES = {
    "an `if` in another": (
        "for i in T.serial(4):\n"
        "    if i * 3 + cid < 8:\n"
        "        if (i * 3 + cid) % 2 == 0:  # <\n"
        "            T.tile.add(c, a, b)\n"
        "        T.tile.exp(c, a)",
        "auto_sync",
    ),
    "an `if` that leaves its loop": (
        "for i in T.serial(4):\n"
        "    T.tile.exp(c, a)\n"
        "    for j in T.serial(3):  # <\n"
        "        if i == 0:\n"
        "            T.tile.add(c, a, b)",
        "auto_sync",
    ),
    "a `while` in a `for`": (
        "k = T.alloc_var('int32', 3)\n"
        "for i in T.serial(4):\n"
        "    T.tile.add(c, a, b)\n"
        "    while k > 0:  # <\n"
        "        T.tile.add(c, a, b)\n"
        "        k = k - 1",
        "auto_sync",
    ),
}


@pytest.mark.parametrize("name", PASSES)
def test_what_the_passes_cannot_be_told(name: str, tmp_path: Path) -> None:
    body, option = PASSES[name]
    config = f"out_idx=[-1], pass_configs={{'tl.ascend_{option}': True}}"
    text = vector(body).replace("out_idx=[-1]", config)
    assert said(text, tmp_path).line == line_of(text, "# <")


def test_what_the_lanes_of_a_parallel_loop_do_not_have(tmp_path: Path) -> None:
    text = vector("for i, j in T.Parallel(16, 64):\n    bits[i, j] = bits[i, j] & 3  # <")
    found = said(text, tmp_path)
    assert found.code == "E405"
    assert "the interpreter does not have" in found.message
    assert "in T.Parallel" in found.message
    assert found.line == line_of(text, "# <")


def test_a_file_without_a_kernel(tmp_path: Path) -> None:
    assert said("x = 1\n", tmp_path).code == "E403"


def test_a_factory_that_needs_a_value(tmp_path: Path) -> None:
    text = vector("T.tile.add(c, a, b)").replace("def kernel():", "def kernel(size):")
    found = said(text, tmp_path)
    assert (found.code, found.message) == ("E403", "kernel needs a value for size")


def test_syntax_errors_stand_at_their_line(tmp_path: Path) -> None:
    found = said("import tilelang\n\ndef f(:\n", tmp_path)
    assert (found.code, found.line) == ("E402", 3)


def test_exceptions_of_the_kernel_stand_at_its_line(tmp_path: Path) -> None:
    text = vector("k = [1, 2][5]  # <")
    found = said(text, tmp_path)
    assert found.message == "IndexError: list index out of range"
    assert found.line == line_of(text, "# <")
