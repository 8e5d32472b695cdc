"""Extents that only a call knows, and the types of parameters: as the compiler has them."""

from __future__ import annotations

from pathlib import Path

import pytest

from gen.check.foreign import ReadyKernel, RunOptions, ready_file
from gen.compile.a_tree import Request, interpreter
from gen.compile.base import CompileError
from gen.errors import GenError
from tests.interpreter.fronts import assert_programs_agree
from tests.interpreter.kernels import line_of

HALVES = """\
import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[1])
def halves(rows=16, columns=32):
    M = T.symbolic("M")
    N = T.symbolic("N")
    width = T.ceildiv(N // 2, columns)
    tiles = T.ceildiv(M, rows * 2) * width
    rounds = T.ceildiv(tiles, 4)

    @T.prim_func
    def main(
        x: T.Tensor((M, N), "float32"),
        y: T.Tensor((M, N // 2), "float32"),
        rest: T.Tensor((T.max(M - 90, 1),), "float32"),
    ):
        middle = N // 2
        with T.Kernel(4, is_npu=True) as (cid, vid):
            a = T.alloc_ub((rows, columns), "float32")
            b = T.alloc_ub((rows, columns), "float32")
            with T.Scope("V"):
                for i in T.serial(rounds):
                    t = cid + i * 4
                    if t < tiles:
                        r = t // width * rows * 2 + vid * rows
                        k = t % width * columns
                        T.copy(x[r, k], a)
                        T.copy(x[r, k + middle], b)
                        T.barrier_all()
                        T.tile.mul(a, a, b)
                        T.tile.add(a, a, T.float32(tiles))
                        T.barrier_all()
                        T.copy(a, y[r, k])
                        T.barrier_all()

    return main
"""

TYPES = """\
import tilelang
import tilelang.language as T

M = 64


@tilelang.jit(out_idx=[-1])
def kernel(M=32, rows=16):
    @T.prim_func
    def main(x: T.Tensor((M, 64), "float32"), y: T.Tensor((M, 64), "float32")):
        with T.Kernel(1, is_npu=True) as (cid, vid):
            a = T.alloc_ub((rows, 64), "float32")
            with T.Scope("V"):
                T.copy(x[{row}, 0], a)
                T.barrier_all()
                T.copy(a, y[{row}, 0])

    return main
"""
LATER = "from __future__ import annotations\n"


def front_ends(text: str, folder: Path, **extents: int) -> tuple[ReadyKernel, ReadyKernel]:
    path = folder / "kernel.py"
    path.write_text(text, encoding="utf-8")
    arguments = {name: str(value) for name, value in extents.items()}

    def ready(front_end: str) -> ReadyKernel:
        options = RunOptions(a_tree=front_end, witnesses=False, arguments=arguments)
        return ready_file(path, options, lambda _: None)

    return ready("compiler"), ready("interpreter")


def refusal(text: str, folder: Path) -> CompileError:
    path = folder / "kernel.py"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(CompileError) as error:
        interpreter.compile(path)
    return error.value


@pytest.mark.usefixtures("compiler")
@pytest.mark.parametrize(("m", "n"), [(100, 256), (64, 62)])
def test_extents_are_computed_from_those_of_the_call(m: int, n: int, tmp_path: Path) -> None:
    kernels = front_ends(HALVES, tmp_path, M=m, N=n)
    shapes = [{t.name: t.shape for t in kernel.prepared.tensors} for kernel in kernels]
    assert shapes[0] == shapes[1]
    assert shapes[1]["y"] == (m, n // 2)
    assert shapes[1]["rest"] == (max(m - 90, 1),)
    assert_programs_agree(*kernels)


def test_an_extent_without_a_value_is_asked_for_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "kernel.py"
    path.write_text(HALVES, encoding="utf-8")
    with pytest.raises(GenError) as error:
        ready_file(path, RunOptions(a_tree="interpreter", arguments={"M": "64"}), lambda _: None)
    assert error.value.diagnostics[0].help == "give it a value: --arg N=1024"


@pytest.mark.usefixtures("compiler")
@pytest.mark.parametrize("head", ["", LATER])
def test_types_see_what_the_body_uses(head: str, tmp_path: Path) -> None:
    kernels = front_ends(head + TYPES.format(row="M - rows"), tmp_path)
    for kernel in kernels:
        assert {t.shape for t in kernel.prepared.tensors} == {(32, 64)}
    assert_programs_agree(*kernels)


def test_a_global_that_hides_an_argument_from_the_types_is_refused(tmp_path: Path) -> None:
    text = TYPES.format(row=0)
    (found,) = refusal(text, tmp_path).diagnostics
    assert (
        "the compiler takes x for float32[64, 64], and Python for float32[32, 64]" in found.message
    )
    assert found.line == line_of(text, "def main")


def test_a_name_that_types_do_not_see_is_refused(tmp_path: Path) -> None:
    text = LATER + TYPES.format(row=0).replace("M = 64\n", "")
    (found,) = refusal(text, tmp_path).diagnostics
    assert "the compiler does not find `M` for the type of x" in found.message


def test_a_kernel_that_asks_for_tuning_is_made_as_it_is(tmp_path: Path) -> None:
    text = TYPES.format(row="M - rows").replace(
        "@tilelang.jit", "@tilelang.autotune(configs=[{'rows': 8}])\n@tilelang.jit"
    )
    kernel = interpreter.describe(Request(str(tmp_path / "kernel.py"), text))
    assert [tensor.shape for tensor in kernel.tensors] == [(32, 64), (32, 64)]
