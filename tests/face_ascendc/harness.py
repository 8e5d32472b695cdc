"""Builds a kernel of `kernels/` for a chip and runs its host program on the model."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import DTypeLike, NDArray

from gen.chips import ASCEND910B, ASCEND950, Chip
from gen.compile import ascendc
from gen.sim import Profile, Program, Run, run_program

KERNELS = Path(__file__).parent / "kernels"
CHIPS = {"910b": ASCEND910B, "950": ASCEND950}
ARCH: dict[str, Literal["2201", "3510"]] = {"910b": "2201", "950": "3510"}

Array = NDArray[Any]


@cache
def build(name: str, chip: str, **defines: str) -> Program:
    """`defines` replace the values that the source gives to macros of these names."""
    path = KERNELS / f"{name}.asc"
    text = path.read_text(encoding="utf-8")
    for macro, value in defines.items():
        text, found = re.subn(rf"#define {macro} .*", f"#define {macro} {value}", text)
        assert found, f"{path.name} does not define {macro}"
    return compile_text(text, chip, path)


def compile_text(text: str, chip: str, path: Path = KERNELS / "text.asc") -> Program:
    """The program of a source that stands, or might stand, at `path`."""
    part: Chip = CHIPS[chip]
    program: Program = ascendc.compile(path, part, text=text).program
    return program


def run(
    program: Program,
    chip: str,
    argv: tuple[str, ...],
    inputs: Mapping[str, Array],
    outputs: Mapping[str, tuple[DTypeLike, tuple[int, ...]]],
    *,
    auto_sync: bool = True,
) -> tuple[dict[str, Array], Run]:
    """Runs the host program once; what it wrote, and what the model says."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        (place / "input").mkdir()
        (place / "output").mkdir()
        for name, array in inputs.items():
            np.ascontiguousarray(array).tofile(place / "input" / f"{name}.bin")
        profile = Profile(chip=ARCH[chip], auto_sync=auto_sync)
        done = run_program(program, argv=argv, cwd=place, profile=profile, timeout=60)
        written = {
            name: np.fromfile(place / "output" / f"{name}.bin", dtype).reshape(shape)
            for name, (dtype, shape) in outputs.items()
            if (place / "output" / f"{name}.bin").is_file()
        }
    return written, done


def said(done: Run) -> str:
    """Everything that a run complains about, for the message of a failing test."""
    lines = [f"{f.severity} {f.code}: {f.message}" for f in done.findings]
    return "\n".join([f"unsupported {done.unsupported}, crashed {done.crashed}", *lines])
