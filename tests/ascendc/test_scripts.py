"""The scripts beside a kernel make its inputs and judge its output, also when it is wrong."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from gen.compile.ascendc import compile as compile_source
from gen.plan import Tree
from gen.render import write
from gen.sim import Profile, run_program
from tests.ascendc.cases import SPECS, planned

NAMES = ["silu", "half", "gemm tails", "gemm float32 NT", "norm half", "norm one column"]


def script(folder: Path, name: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(folder / "scripts" / name)]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("name", NAMES)
def test_data_kernel_and_verification_go_together(name: str, tmp_path: Path):
    plan, rendering = planned(SPECS[name])
    write(rendering, tmp_path)
    folder = tmp_path / rendering.name / "ascendc"
    made = script(folder, "gen_data.py")
    assert made.returncode == 0, made.stderr

    source = compile_source(folder / f"{rendering.name}.asc", plan.trees[Tree.ASCENDC].chip)
    run = run_program(source.program, cwd=folder, profile=Profile(), timeout=60)
    assert run.clean
    verified = script(folder, "verify_result.py")
    assert (verified.returncode, verified.stdout) == (0, "test pass!\n"), verified.stdout

    output = np.fromfile(folder / "output/output.bin", np.uint8)
    output[-1] ^= 0x40
    output.tofile(folder / "output/output.bin")
    verified = script(folder, "verify_result.py")
    assert verified.returncode == 1
    assert "1 of" in verified.stdout

    output[:-4].tofile(folder / "output/output.bin")
    assert script(folder, "verify_result.py").returncode == 1
