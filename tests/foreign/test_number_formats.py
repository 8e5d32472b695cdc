"""Operands of a number format that an instruction does not take: the statement, what is wrong, and no dump."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from gen.check import Outcome
from gen.check.foreign import FileVerdict, RunOptions, run_file
from gen.compile.a_tree.toolchain import status
from gen.compile.build_log import Complaint, first_complaint
from gen.compile.m_tree import installed
from gen.show.file_verdict import lines

pytestmark = pytest.mark.skipif(not shutil.which("g++"), reason="needs g++")
needs_m = pytest.mark.skipif(bool(installed.missing()), reason="needs tilelang")
needs_a = pytest.mark.skipif(status().toolchain is None, reason="needs the A tree's compiler")

A_TREE = """\
import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1])
def doubled(n):
    CHECK
    @T.prim_func
    def main(x: T.Tensor((n,), "int32"), y: T.Tensor((n,), "float32")):
        with T.Kernel(1, is_npu=True) as (cid, vid):
            a = T.alloc_ub((n // 2,), "int32")
            b = T.alloc_ub((n // 2,), "float32")
            T.copy(x[vid * (n // 2)], a)
            T.barrier_all()
            STATEMENT
            T.barrier_all()
            T.copy(b, y[vid * (n // 2)])

    return main
"""
M_TREE = """\
import tilelang
import tilelang.ascend.language as T


def check(n):
    assert n > 100


@tilelang.jit(target="ascend")
def scale(x):
    CHECK
    x: T.Tensor((512,), T.int32)
    y = T.empty((512,), T.int32)
    with T.Kernel(2) as core:
        x_ub = T.alloc_shared((256,), T.int32)
        y_ub = T.alloc_shared((256,), T.FORMAT)
        T.copy(x[core * 256], x_ub)
        with T.VECTOR:
            for i in T.Parallel(256):
                y_ub[i] = STATEMENT
        T.copy(y_ub, y[core * 256])
    return y
"""


def judged(folder: Path, text: str, **options: object) -> tuple[FileVerdict, str]:
    path = folder / "kernel.py"
    path.write_text(text.replace("CHECK", "pass"))
    verdict = run_file(path, RunOptions(**options))  # type: ignore[arg-type]
    return verdict, "\n".join(lines(verdict, 160))


@needs_a
@pytest.mark.parametrize(
    ("statement", "said"),
    [
        (
            "T.tile.add(b, a, a)",
            "Add does not take operands of these number formats: float, int, int",
        ),
        ("T.tile.exp(a, a)", "Exp has no form for this element type on this chip"),
    ],
)
@pytest.mark.parametrize("front_end", ["compiler", "both"])
def test_the_a_tree(tmp_path: Path, statement: str, said: str, front_end: str) -> None:
    text = A_TREE.replace("STATEMENT", statement)
    verdict, shown = judged(tmp_path, text, arguments={"n": "64"}, a_tree=front_end)
    (diagnostic,) = verdict.diagnostics
    assert (verdict.outcome, diagnostic.source_line.strip()) == (Outcome.UNSUPPORTED, statement)
    assert said in diagnostic.message
    assert diagnostic.help.startswith("the C++ compiler says")
    assert "doubled.cpp:" in diagnostic.help
    assert "note: candidate" not in shown
    assert len(shown.splitlines()) < 20
    assert (front_end == "both") == ("front-ends-differ" in shown)


@needs_m
@pytest.mark.parametrize(
    ("vector", "statement", "format", "at", "said"),
    [
        (
            "SimtVF(threads=64)",
            "T.exp(x_ub[i])",
            "int32",
            "for i in T.Parallel(256):",
            "int2 stands where float is needed",
        ),
        ("SimdVF()", "T.exp(x_ub[i])", "int32", "y_ub[i] = T.exp(x_ub[i])", "unsupported expr"),
        ("SimtVF(threads=64)", "x_ub[i]", "float32", "T.copy(y_ub, y[core * 256])", "T.copy()"),
    ],
)
def test_the_m_tree(
    tmp_path: Path, vector: str, statement: str, format: str, at: str, said: str
) -> None:
    text = M_TREE.replace("VECTOR", vector).replace("STATEMENT", statement)
    verdict, shown = judged(tmp_path, text.replace("FORMAT", format))
    (diagnostic,) = verdict.diagnostics
    assert verdict.outcome in (Outcome.UNSUPPORTED, Outcome.FAILED)
    assert diagnostic.source_line.strip() == at
    assert said in diagnostic.message
    assert len(shown.splitlines()) < 20


@pytest.mark.parametrize(
    ("text", "front_end"),
    [
        pytest.param(A_TREE, "compiler", marks=needs_a),
        (A_TREE, "interpreter"),
        pytest.param(M_TREE, "default", marks=needs_m),
    ],
)
def test_an_error_without_words_shows_the_code_that_raised_it(
    tmp_path: Path, text: str, front_end: str
) -> None:
    check = "check(0)" if text is M_TREE else "assert n > 100"
    arguments = {"n": "64"} if text is A_TREE else {}
    plain = text.replace("FORMAT", "int32").replace("VECTOR", "SimtVF(threads=64)")
    plain = plain.replace("STATEMENT", "x_ub[i]" if text is M_TREE else "T.barrier_all()")
    path = tmp_path / "kernel.py"
    path.write_text(plain.replace("CHECK", check))
    verdict = run_file(path, RunOptions(arguments=arguments, a_tree=front_end))
    (diagnostic,) = verdict.diagnostics
    assert diagnostic.message.endswith("AssertionError in `assert n > 100`")
    assert diagnostic.source_line.strip() == "assert n > 100"


PLACE = Path("/cache/k.cpp")
DEEP = """\
In file included from /inc/a.h:6,
                 from /cache/k.cpp:1:
/inc/a.h: In instantiation of 'void f(T) [with T = int]':
/cache/k.cpp:35:15:   required from here
/inc/b.h:28:38: error: static assertion failed: f takes floats
/cache/k.cpp:40:2: error: second
"""


@pytest.mark.parametrize(
    ("log", "found", "meaning"),
    [
        (
            DEEP,
            Complaint("static assertion failed: f takes floats", 35, 15),
            "f takes floats",
        ),
        (
            "/cache/k.cpp:3:4: error: cannot convert 'int*' to 'float*'\n/cache/k.cpp:9:1: note: x\n",
            Complaint("cannot convert 'int*' to 'float*'", 3, 4),
            "int* stands where float* is needed",
        ),
        (
            "/usr/bin/ld: k.o: in function `main':\n(.text+0x5): undefined reference to `g()'\n",
            Complaint("undefined reference to `g()'"),
            "undefined reference to `g()'",
        ),
        ("fatal error: x.h: no such file\n", Complaint("x.h: no such file"), "x.h: no such file"),
        ("one\n\nlast word\n\n", Complaint("last word"), "last word"),
        ("", Complaint("it says nothing"), "it says nothing"),
    ],
)
def test_the_first_error_of_a_log(log: str, found: Complaint, meaning: str) -> None:
    assert first_complaint(log, PLACE) == found
    assert found.meaning == meaning
