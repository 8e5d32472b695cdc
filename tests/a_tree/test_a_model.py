"""Rendered A-tree kernels, lowered by their own compiler, on the model: right and clean on every core."""

from __future__ import annotations

from pathlib import Path

import pytest

from gen.check.compare import against_reference
from gen.check.formats import numpy_dtype
from gen.check.inputs import make_inputs
from gen.check.reference import reference
from gen.check.run import outputs_of
from gen.compile.a_tree import Worker, compile_rendering
from gen.plan import plan
from gen.sim import Profile, Run

from .a_cases import SPECS, rendered


@pytest.mark.parametrize("name", SPECS)
def test_the_kernel_is_right_and_clean_even_without_the_barriers_of_bisheng(
    name: str, worker: Worker
) -> None:
    spec = SPECS[name]
    program = compile_rendering(rendered(spec), plan(spec), path=Path("a_tree.py"), worker=worker)
    inputs = make_inputs(spec)
    wanted = reference(spec, inputs)
    types = outputs_of(spec)
    outputs = {n: (numpy_dtype(dtype), shape) for n, (dtype, shape) in types.items()}
    found, run = program.run(inputs, outputs, Profile(chip="2201", auto_sync=False), timeout=60)
    assert run.clean, complaints(run)
    assert run.findings == ()
    assert set(found) == set(wanted)
    for tensor, array in found.items():
        assert against_reference(tensor, array, wanted[tensor], types[tensor][0]).mismatch is None


def complaints(run: Run) -> str:
    found = (f"{f.code}: {f.message}" for f in run.findings)
    return "\n".join([str(run.crashed), str(run.unsupported), *found, run.stderr])
