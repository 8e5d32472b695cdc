"""Arrays in, arrays out: a program of a TileLang tree reads and writes the files named on its command line."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from math import prod
from pathlib import Path

import numpy as np

from gen.compile.base import Array, OutputSpec
from gen.sim import Profile, Program, Run, run_program


def run(
    program: Program,
    inputs: Mapping[str, Array],
    outputs: Mapping[str, OutputSpec],
    profile: Profile,
    timeout: float,
    *,
    trace: Path | None = None,
    kept: Path | None = None,
) -> tuple[dict[str, Array], Run]:
    """Runs `program` once. Arrays go in row-major order, so a kernel that takes them flattened sees the same bytes.

    A tensor that is among the inputs and the outputs starts with its values and is read back.
    """
    with tempfile.TemporaryDirectory(prefix="crosstree-") as name:
        folder = Path(name)
        both = inputs.keys() & outputs.keys()
        argv = [_input(folder, name, array) for name, array in inputs.items() if name not in both]
        argv += [_both(folder, name, inputs[name]) for name in sorted(both)]
        argv += [_output(folder, name, spec) for name, spec in outputs.items() if name not in both]
        done = run_program(
            program,
            argv=argv,
            cwd=folder,
            profile=profile,
            timeout=timeout,
            trace=trace,
            outputs=kept,
        )
        found = {name: _read(folder / f"{name}.out", spec) for name, spec in outputs.items()}
        return {name: array for name, array in found.items() if array is not None}, done


def _input(folder: Path, name: str, array: Array) -> str:
    file = folder / f"{name}.in"
    np.ascontiguousarray(array).tofile(file)
    return f"{name}:in:{array.nbytes}:{file}"


def _both(folder: Path, name: str, array: Array) -> str:
    file = folder / f"{name}.out"
    np.ascontiguousarray(array).tofile(file)
    return f"{name}:inout:{array.nbytes}:{file}"


def _output(folder: Path, name: str, spec: OutputSpec) -> str:
    dtype, shape = spec
    return f"{name}:out:{dtype.itemsize * prod(shape)}:{folder / f'{name}.out'}"


def _read(file: Path, spec: OutputSpec) -> Array | None:
    """The output, or None where the program left no file of the right size."""
    dtype, shape = spec
    if not file.is_file() or file.stat().st_size != dtype.itemsize * prod(shape):
        return None
    return np.fromfile(file, dtype=dtype).reshape(shape)
