"""Rendered M-tree kernels on the model: every output right, nothing to complain about."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from gen.check.compare import against_reference
from gen.check.formats import numpy_dtype
from gen.check.inputs import make_inputs
from gen.check.reference import reference
from gen.compile.base import CompileError
from gen.compile.m_tree import Session, compile_rendering
from gen.plan import plan
from gen.render import render
from gen.sim import Profile, Run
from gen.spec import DType, ElementwiseSpec, GemmSpec, Spec
from tests.m_tree.specs import SPECS, elementwise, gemm, norm

EDGES = {
    **{f"elementwise of {n}": elementwise("x * y + x", "float16", n) for n in (7, 8, 4097)},
    "rank 3": elementwise("max(x, y)", "bfloat16", 3, 5, 7),
    "gemm 1x1x1": gemm(1, 1, 1),
    "gemm of one row": gemm(1, 130, 130, transpose_b=True),
    "gemm 15x13x47": gemm(15, 13, 47, "bfloat16", transpose_b=True),
    "gemm 33x18x127": gemm(33, 18, 127, "float32"),
    "gemm that has many tiles a core": gemm(300, 250, 100, tile={"m": 32, "n": 32, "k": 32}),
    "norm 5x1": norm(5, 1, "float32"),
    "norm with rows that a warp does not divide": norm(126, 128, "float32", tile={"rows": 63}),
}


def output_type(spec: Spec) -> DType:
    if isinstance(spec, ElementwiseSpec):
        return spec.output.dtype
    return spec.c if isinstance(spec, GemmSpec) else spec.dtype


@pytest.mark.parametrize("name", [*SPECS, *EDGES])
def test_the_kernel_is_right_and_clean(name: str, session: Session) -> None:
    spec = {**SPECS, **EDGES}[name]
    decided = plan(spec)
    file = render(decided).kernel("m_tree")
    assert file is not None
    program = compile_rendering(file, decided, path=Path("m_tree.py"), session=session)
    inputs, wanted, dtype = make_inputs(spec), reference(spec, make_inputs(spec)), output_type(spec)
    outputs = {n: (numpy_dtype(dtype), w.value.shape) for n, w in wanted.items()}
    found, run = program.run(inputs, outputs, Profile(chip="3510"), timeout=60)
    assert run.clean, complaints(run)
    assert [f for f in run.findings if f.code != "sync-redundant"] == []
    for tensor, array in found.items():
        assert against_reference(tensor, array, wanted[tensor], dtype).mismatch is None
    assert set(found) == set(wanted)


def test_what_the_host_compiler_rejects_is_reported_at_the_python_line(session: Session) -> None:
    decided = plan(gemm(100, 100, 64, tile={"m": 32, "n": 32, "k": 32}))
    file = render(decided).kernel("m_tree")
    assert file is not None
    crooked = replace(file, text=file.text.replace("TILE_M = 32", "TILE_M = 40"))
    with pytest.raises(CompileError) as caught:
        compile_rendering(crooked, decided, path=Path("m_tree.py"), session=session)
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "E405"
    assert "M must be a multiple of 16" in diagnostic.message
    assert diagnostic.source_line.strip().startswith("T.gemm(A_l1, B_l1, C_l0c")


def complaints(run: Run) -> str:
    return "\n".join(
        [str(run.crashed), str(run.unsupported), *(f"{f.code}: {f.message}" for f in run.findings)]
    )
