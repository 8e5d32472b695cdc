"""Every rendered kernel runs on the model without a finding, and computes what its spec means."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from gen.check.compare import against_reference
from gen.check.formats import numpy_dtype
from gen.check.inputs import make_inputs
from gen.check.reference import reference
from gen.compile.ascendc import compile_rendering
from gen.spec import Spec
from tests.ascendc.cases import SPECS, output_of, planned, profile

TIMEOUT = 60.0


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
