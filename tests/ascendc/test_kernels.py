"""Every rendered kernel runs on the model without a finding, and computes what its spec means."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from cases import SPECS, planned

from gen.check.compare import against_reference
from gen.check.formats import numpy_dtype
from gen.check.inputs import make_inputs
from gen.check.reference import reference
from gen.compile.ascendc import compile_rendering
from gen.plan import Plan, Tree
from gen.sim import Profile
from gen.spec import DType, ElementwiseSpec, GemmSpec, Spec

TIMEOUT = 60.0


def output_of(spec: Spec) -> tuple[str, DType, tuple[int, ...]]:
    if isinstance(spec, ElementwiseSpec):
        return spec.output.name, spec.output.dtype, spec.shape
    if isinstance(spec, GemmSpec):
        return "C", spec.c, (spec.m, spec.n)
    return "y", spec.dtype, (spec.rows, spec.cols)


def profile(plan: Plan) -> Profile:
    return Profile(chip="2201" if plan.trees[Tree.ASCENDC].chip.arch == "dav-2201" else "3510")


@pytest.mark.parametrize("spec", SPECS.values(), ids=SPECS)
def test_a_kernel_is_clean_and_right(spec: Spec):
    plan, rendering = planned(spec)
    program = compile_rendering(rendering, plan, path=Path("kernel.asc"))
    inputs = make_inputs(spec)
    name, dtype, shape = output_of(spec)
    outputs, run = program.run(
        inputs, {name: (np.dtype(numpy_dtype(dtype)), shape)}, profile(plan), TIMEOUT
    )
    assert run.crashed is None, run.stderr
    assert run.unsupported is None
    assert [f.message for f in run.findings] == []
    judged = against_reference(name, outputs[name], reference(spec, inputs)[name], dtype)
    assert judged.mismatch is None, str(judged.mismatch)


def test_a_kernel_that_cannot_read_its_input_has_no_output():
    plan, rendering = planned(SPECS["add"])
    program = compile_rendering(rendering, plan, path=Path("kernel.asc"))
    outputs, run = program.run({}, {"y": (np.dtype("float32"), (8,))}, profile(plan), TIMEOUT)
    assert outputs == {}
    assert run.crashed is not None
    assert "input_x.bin" in run.stderr
