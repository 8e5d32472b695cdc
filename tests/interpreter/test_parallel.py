"""T.Parallel: vectors where the compiler makes vectors, rows where it makes rows, else the scalar unit."""

from __future__ import annotations

from pathlib import Path

import pytest

from gen.compile.a_tree import interpreter
from gen.compile.base import CompileError
from tests.interpreter.fronts import assert_agree
from tests.interpreter.kernels import line_of, vector

AGREED = {
    "all lanes at once": """
for i, j in T.Parallel(16, 64):
    c[i, j] = (a[i, j] + b[i, j]) * (a[i, j] - 1.5)
    b[i, j] = -c[i, j]
for i, j in T.Parallel(16, 64):
    c[i, j] = T.abs(a[i, j]) / 3.0 + T.max(0.0, b[i, j])
for i, j in T.Parallel(16, 64):
    m[i, j] = n[i, j] * 3 + 1
for t in T.serial(3):
    for i, j in T.Parallel(16, 64):
        m[i, j] = n[i, j] * t
for i, j in T.Parallel(16, 64):
    a[i, j] = c[i, j]
for i, j in T.Parallel(16, 64):
    h[i, j] = T.cast(a[i, j], "float16")
for i, j in T.Parallel(4, 64):
    c[i + 4 * cid, j] = a[i, j] + b[i + 8, j]
for j in T.Parallel(50):
    line[j] = line[j] / 7 + 1.0
""",
    "row by row": """
T.copy(x[5, 0], heights)
T.tile.fill(column, 0.7)
T.barrier_all()
for i, j in T.Parallel(16, 64):
    c[i, j] = a[i, j] + line[j]
for i, j in T.Parallel(16, 64):
    c[i, j] = c[i, j] - heights[i]
    b[i, j] = c[i, j] / heights[i]
for i, j in T.Parallel(16, 64):
    c[i, j] = b[i, j] * column[i, 0] + row[0, j]
for i, j in T.Parallel(16, 64):
    c[i, j] = c[i, j] * line[3]
for i in T.serial(16):
    for j in T.Parallel(64):
        a[i, j] = c[i, j] * heights[i]
for j in T.Parallel(64):
    c[3, j] = a[2, j] * 2.0
""",
    "element by element, of whole numbers": """
for i, j in T.Parallel(4, 8):
    n[j, i] = n[i, j] * 3 - n[j, i]
for i, j in T.Parallel(4, 8):
    m[j, i] = n[j, i] // 3 + n[j, i] % 5
for i, j in T.Parallel(4, 8):
    m[j, i + 8] = ((n[j, i] & 7) | (n[i, j] << 2)) ^ (n[i, j] >> 1)
for i, j in T.Parallel(4, 8):
    m[j, i + 16] = ~n[j, i] + T.max(n[j, i], n[i, j])
for i, j in T.Parallel(4, 8):
    w[j, i] = T.cast(n[j, i], "int16") * 300 + 7
for i, j in T.Parallel(4, 8):
    m[j, i + 24] = T.cast(w[j, i] * 3, "int32") - w[i, j] // 4
for i, j in T.Parallel(4, 8):
    bits[j, i] = T.cast(n[j, i], "uint8")
for i, j in T.Parallel(4, 8):
    bits[j, i + 8] = bits[j, i] + bits[i, j]
for i, j in T.Parallel(4, 8):
    m[j, i + 32] = T.cast(bits[j, i + 8], "int32")
for i, j in T.Parallel(4, 8):
    c[j, i] = T.cast(n[j, i], "float32") / 3.0
T.barrier_all()
T.tile.cast(a, m, "CAST_RINT", 1024)
""",
    "element by element, of narrow floats": """
for i, j in T.Parallel(4, 8):
    h[j, i] = h[j, i] * 2.0 + h[i, j]
for i, j in T.Parallel(4, 8):
    h[j, i + 8] = h[j, i] + h[i, j] * 3
for i, j in T.Parallel(4, 8):
    c[j, i] = T.cast(h[j, i], "float32") * a[j, i]
for i, j in T.Parallel(4, 8):
    h[j, i + 16] = T.cast(a[j, i], "float16")
for i, j in T.Parallel(4, 8):
    h[j, i + 24] = h[i, j] - i
for i, j in T.Parallel(4, 8):
    if h[j, i] > 0.5:
        h[j, i + 32] = -h[i, j]
T.tile.cast(bf, b, "CAST_RINT", 1024)
T.barrier_all()
for i, j in T.Parallel(4, 8):
    bf[j, i] = bf[i, j] * 2.0 + bf[j, i]
for i, j in T.Parallel(4, 8):
    c[j, i] = T.cast(bf[j, i], "float32")
T.barrier_all()
T.tile.cast(a, h, "CAST_NONE", 1024)
""",
    "repeated, and to GM": """
T.copy(x[5, 0], heights)
T.barrier_all()
for i, j in T.Parallel(16, 64):
    c[i, j] = line[j] * 2.0
for i, j in T.Parallel(16, 64):
    a[i, j] = heights[i]
for i, j in T.Parallel(16, 64):
    b[i, j] = x[cid * 32 + i, j]
T.barrier_all()
for i, j in T.Parallel(16, 64):
    y[cid * 32 + i, j + 128] = a[i, j] + b[i, j]
for j in T.Parallel(64):
    y[cid, j + 192] = line[j] * 2.0
""",
    "element by element": """
for i, j in T.Parallel(2, 8):
    c[i, j] = 2.0 - a[i, j] / 3.0
for i, j in T.Parallel(2, 8):
    c[i, j + 8] = 2.0 * T.max(a[i, j], b[i, j])
for i, j in T.Parallel(4, 8):
    if i > 1:
        c[i, j] = a[i, j] + 1.0
    else:
        c[i, j + 16] = 0.5
for i, j in T.Parallel(2, 8):
    k = a[i, j] * 2.0
    if k > 0.5:
        c[i + 4, j] = k + 1.0
for j in T.Parallel(8):
    line[j] = 0.25
for i, j in T.Parallel(2, 8):
    heights[i] = line[i] + a[i, j]
for i, j in T.Parallel(2, 8):
    c[i + 6, j] = a[i, j] * cid
""",
}

REFUSED = {
    "part of the columns": (
        "for i, j in T.Parallel(16, 32):\n    c[i, j] = a[i, j] + b[i, j]",
        "do not follow each other",
    ),
    "function of a result": (
        "for i, j in T.Parallel(16, 64):\n    c[i, j] = 1.0 / (1.0 + T.exp(-a[i, j]))",
        "the scalar unit has no T.exp",
    ),
    "number": (
        "for i, j in T.Parallel(16, 64):\n    c[i, j] = T.max(a[i, j], 3.0)",
        "the compiler crashes on T.max",
    ),
    "column on the left": (
        "for i, j in T.Parallel(16, 64):\n    c[i, j] = heights[i] * a[i, j]",
        "one element of heights for a whole vector",
    ),
    "repeated on the right": (
        "for i, j in T.Parallel(16, 64):\n    c[i, j] = line[j] + heights[i]",
        "takes its first element only",
    ),
    "either": (
        "for i, j in T.Parallel(16, 64):\n    c[i, j] = T.if_then_else(a[i, j] > 0, a[i, j], b[i, j])",
        "does not compile",
    ),
    "one of the rows": (
        "for j in T.Parallel(64):\n    c[1, j] = a[2, j]",
        "copies a tile of the size of c",
    ),
    "one dimension in a loop": (
        "for t in T.serial(3):\n    for j in T.Parallel(64):\n        line[j] = line[j] + a[t, j]",
        "multiplies the lanes",
    ),
    "three extents": (
        "for i, j, k in T.Parallel(2, 4, 8):\n    c[i, j] = 1.0",
        "one or two extents",
    ),
    "GM": (
        "for i, j in T.Parallel(16, 64):\n    c[i, j] = x[i, j] + a[i, j]",
        "compute with x, which is in GM",
    ),
}


@pytest.mark.usefixtures("compiler")
@pytest.mark.parametrize("name", AGREED)
def test_agreement(name: str, tmp_path: Path) -> None:
    assert_agree(vector(AGREED[name]), tmp_path)


@pytest.mark.parametrize("name", REFUSED)
def test_what_the_compiler_has_wrong(name: str, tmp_path: Path) -> None:
    body, message = REFUSED[name]
    text = vector(body.replace("):\n", "):  # <\n", 1))
    path = tmp_path / "kernel.py"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(CompileError) as raised:
        interpreter.compile(path)
    (found,) = raised.value.diagnostics
    assert found.code == "E402"
    assert message in found.message
    assert found.help
    assert found.line in range(line_of(text, "# <"), line_of(text, "# <") + 3)
