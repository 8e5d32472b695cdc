"""Specs with inputs of our own through the three front ends, and small kernel files through `gen run`."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from gen.check import Outcome, profiles
from gen.check.foreign import RunOptions, run_file
from gen.check.formats import Array, numpy_dtype
from gen.check.frontends import compile_tree
from gen.check.run import outputs_of
from gen.plan import Tree, plan
from gen.render import render
from gen.spec import ElementwiseSpec, GemmSpec, NormSpec, Spec
from tests.product.conftest import a_tree_reason

KERNELS = Path(__file__).with_name("kernels")


def elementwise(body: str, dtype: str, *shape: int, **more: object) -> ElementwiseSpec:
    names = sorted({c for c in body if c in "xyz"})
    fields = {"name": "ew", "shape": shape, "inputs": dict.fromkeys(names, dtype), "body": body}
    return ElementwiseSpec.model_validate({**fields, "output": {"out": dtype}, **more})


def gemm(m: int, n: int, k: int, dtype: str = "float16", **more: object) -> GemmSpec:
    fields = {"name": "product", "m": m, "n": n, "k": k, "a": dtype, "b": dtype, "c": dtype}
    return GemmSpec.model_validate({**fields, **more})


def norm(rows: int, cols: int, dtype: str = "float32", **more: object) -> NormSpec:
    fields = {"name": "rms", "norm": "rms", "rows": rows, "cols": cols, "dtype": dtype}
    return NormSpec.model_validate({**fields, **more})


def outputs(spec: Spec, inputs: Mapping[str, Array]) -> dict[str, Array]:
    """The output of each tree that does not refuse `spec`, run clean on `inputs`."""
    planned = plan(spec)
    rendering = render(planned)
    ((name, (dtype, shape)),) = outputs_of(spec).items()
    wanted = {name: (numpy_dtype(dtype), shape)}
    found = {}
    for tree in planned.trees:
        if tree.tree is Tree.A and a_tree_reason():
            continue
        program = compile_tree(tree, rendering, planned, lambda _: None)
        profile = profiles.profile_of(program.chip, tree.tree)
        made, done = program.run(inputs, wanted, profile, 120)
        assert done.clean, (tree, done.errors, done.crashed, done.unsupported)
        found[str(tree)] = made[name]
    assert found
    return found


def run_kernel(name: str, chip: str | None = None, **arrays: Array) -> Array:
    """The one output of a kernel file of `kernels/`, run clean on `arrays`."""
    with tempfile.TemporaryDirectory() as folder:
        inputs = {}
        for key, array in arrays.items():
            file = Path(folder, f"{key}.npy")
            np.save(file, array)
            inputs[key] = str(file)
        verdict = run_file(KERNELS / name, RunOptions(chip=chip, inputs=inputs))
    assert verdict.outcome is Outcome.CLEAN, (verdict.reason, verdict.faults)
    (output,) = verdict.outputs
    return output.values


def bits(array: Array) -> Array:
    """The bytes of an array, so that NaN and zeros of either sign are told apart."""
    return np.ascontiguousarray(array).view(np.uint8)
