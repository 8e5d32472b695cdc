"""T.Pipelined with stages: the interpreter issues what the compiler makes of the loop."""

from __future__ import annotations

from pathlib import Path

import pytest

from gen.compile.base import CompileError
from tests.interpreter.fronts import assert_agree, ready
from tests.interpreter.kernels import cube, line_of, vector

VECTOR = {
    "versions of two buffers": """
for k in T.Pipelined(4, num_stages=2):
    T.copy(x[k * 4, 0], p)
    T.tile.add(q, p, p)
    T.copy(q, y[k * 4, 128])
""",
    "three stages": """
for k in T.Pipelined(7, num_stages=3):
    row = k * 4
    T.copy(x[row, 0], p)
    T.barrier_all()
    T.tile.add(q, p, p)
    T.pipe_barrier("v")
    T.tile.exp(q, q)
    T.barrier_all()
    T.copy(q, y[row, 128])
""",
    "fewer rounds than stages": """
for k in T.Pipelined(1, num_stages=3):
    T.copy(x[k * 4, 0], p)
    T.tile.add(q, p, p)
    T.copy(q, y[k * 4, 128])
""",
    "one stage": """
for k in T.Pipelined(5, num_stages=1):
    T.copy(x[k * 4, 0], p)
    T.copy(x[k * 4, 64], r)
    for i, j in T.Parallel(4, 64):
        q[i, j] = p[i, j] + r[i, j]
    T.copy(q, y[k * 4, 128])
""",
    "rounds that a core knows": """
for k in T.Pipelined(2 + cid, num_stages=2):
    T.copy(x[k * 4, 0], p)
    T.copy(x[k * 4, 64], r)
    T.tile.add(q, p, r)
    if k == 1:
        T.tile.exp(q, q)
    else:
        T.tile.relu(q, q)
    T.copy(q, y[k * 4, 128])
""",
    "maybe no round": """
for k in T.Pipelined(cid * 2, num_stages=3):
    T.copy(x[k * 4, 0], p)
    T.tile.add(q, p, p)
    T.copy(q, y[k * 4, 128])
""",
    "loops and scratch inside": """
for k in T.Pipelined(5, num_stages=2):
    T.copy(x[k * 4, 0], p)
    for i in T.serial(4):
        T.tile.add(q[i, :], p[i, :], line)
    T.reduce_sum(q, s, dim=-1)
    T.copy(q, y[k * 4, 128])
""",
    "buffers of several loops: no versions; an inner pipeline is a loop": """
for k in T.Pipelined(5, num_stages=2):
    T.copy(x[k * 4, 0], p)
    for i in T.Pipelined(4, num_stages=2):
        T.tile.add(q[i, :], p[i, :], line)
        T.tile.exp(q[i, :], q[i, :])
    T.copy(q, y[k * 4, 128])
for j in T.serial(2):
    for k in T.Pipelined(3, num_stages=2):
        T.copy(x[k * 4 + j * 12, 0], p)
        T.tile.add(q, p, p)
        T.copy(q, y[k * 4, 128])
T.tile.fill(q, 0.0)
for k in T.Pipelined(6, num_stages=3):
    T.copy(x[k * 4, 0], p)
    T.tile.add(q, q, p)
T.tile.add(q, q, p)
T.copy(q, y[0, 128])
for k in T.Pipelined(3, num_stages=2):
    T.tile.add(q, q, 1.0)
    T.copy(q, y[k * 4, 128])
""",
    "allocated inside, one dimension": """
for k in T.Pipelined(6, num_stages=3):
    one = T.alloc_ub((64,), "float32")
    two = T.alloc_ub((64,), "float32")
    T.copy(x[k, 0], one)
    T.tile.mul(two, one, line[k])
    T.copy(two, y[k, 128])
""",
    "several instructions of one T.Parallel": """
for k in T.Pipelined(5, num_stages=2):
    T.copy(x[k * 4, 0], p)
    T.copy(x[k * 4, 64], r)
    for i, j in T.Parallel(4, 64):
        q[i, j] = (p[i, j] + r[i, j]) * r[i, j]
    T.copy(q, y[k * 4, 128])
""",
    "conditions that are decided": """
for k in T.Pipelined(5, num_stages=2):
    T.copy(x[k * 4, 0], p)
    if True:
        T.tile.exp(q, p)
        T.tile.add(q, q, p)
    if k < 9:
        T.tile.exp(q, q)
    T.copy(q, y[k * 4, 128])
""",
    "an order given by hand": """
for k in T.Pipelined(5, order=[0, 1, 2], stage=[0, 1, 1]):
    T.copy(x[k * 4, 0], p)
    T.tile.exp(q, p)
    T.copy(q, y[k * 4, 128])
for k in T.Pipelined(6, num_stages=2, order=[1, 0, 2], stage=[0, 1, 1]):
    T.copy(x[k * 4, 0], p)
    T.tile.exp(q, p)
    T.copy(q, y[k * 4, 128])
""",
    "macros": """
for k in T.Pipelined(5, num_stages=2):
    loaded(x, k, p, r)
    both(q, p)
    T.tile.add(q, q, r)
    T.copy(q, y[k * 4, 128])
""",
}
"""With p, q and r of 4 rows, s of 4 numbers."""

MACROS = """
@T.macro
def both(q, p):
    T.tile.exp(q, p)
    T.tile.add(q, q, p)

@T.macro
def loaded(x, k, p, r):
    T.copy(x[k * 4, 0], p)
    for i in T.serial(2):
        T.copy(x[k * 4, 64], r)
"""

CUBE = {
    "three stages": """
for k in T.Pipelined(4, num_stages=3):
    T.copy(A[cid * 64, k * 64], a)
    T.copy(B[k * 64, 0], b)
    T.barrier_all()
    T.gemm_v0(a, b, c, init=(k == 0))
    T.barrier_all()
T.copy(c, C[cid * 64, 0])
""",
    "two stages": """
for k in T.Pipelined(3, num_stages=2):
    T.copy(A[cid * 64, k * 64], a)
    T.copy(B[k * 64, 0], b)
    T.gemm_v0(a, b, c, init=(k == 0))
T.copy(c, C[cid * 64, 0])
""",
}

BUFFERS = """
p = T.alloc_ub((4, 64), "float32")
q = T.alloc_ub((4, 64), "float32")
r = T.alloc_ub((4, 64), "float32")
s = T.alloc_ub((4,), "float32")
"""

REFUSED = {
    "two of one order": (
        "for k in T.Pipelined(4, order=[0, 0], stage=[0, 1]):  # <\n    T.copy(x[k, 0], p)\n    T.tile.add(q, p, p)",
        "does not put 2 statements in a row",
        "each of 0 to 1 once",
    ),
    "one statement": (
        "for k in T.Pipelined(4, num_stages=2):  # <\n    T.tile.add(q, p, p)",
        "should be SeqStmt",
        "T.serial",
    ),
    "written twice": (
        "for k in T.Pipelined(4, num_stages=2):  # <\n    T.copy(x[k, 0], p)\n    T.tile.add(p, p, p)",
        "two statements of this T.Pipelined write p",
        "a buffer of its own",
    ),
    "copies what is written in front": (
        "for k in T.Pipelined(4, num_stages=2):  # <\n    T.copy(q, y[k, 0])\n    T.copy(y[k, 0], p)\n"
        "    T.tile.add(r, p, p)",
        "reads y, which a statement in front of it writes",
        "T.serial",
    ),
}


@pytest.mark.usefixtures("compiler")
@pytest.mark.parametrize("name", VECTOR)
def test_vector(name: str, tmp_path: Path) -> None:
    assert_agree(vector(BUFFERS + VECTOR[name], MACROS), tmp_path)


@pytest.mark.usefixtures("compiler")
@pytest.mark.parametrize("name", CUBE)
def test_cube(name: str, tmp_path: Path) -> None:
    assert_agree(cube(CUBE[name]), tmp_path)


@pytest.mark.usefixtures("compiler")
@pytest.mark.parametrize("name", REFUSED)
def test_neither_takes(name: str, tmp_path: Path) -> None:
    body, message, help = REFUSED[name]
    path = tmp_path / "kernel.py"
    path.write_text(vector(BUFFERS + body), encoding="utf-8")
    with pytest.raises(CompileError):
        ready(path, "compiler")
    with pytest.raises(CompileError) as raised:
        ready(path, "interpreter")
    (found,) = raised.value.diagnostics
    assert found.code == "E402"
    assert message in found.message
    assert help in found.help
    assert found.line == line_of(path.read_text("utf-8"), "# <")
