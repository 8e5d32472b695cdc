"""Overlap, cover, index and touched bytes are exact: compared with brute force."""

from __future__ import annotations

import subprocess
from pathlib import Path

from gen.sim import build_program

NATIVE = Path(__file__).parents[2] / "gen" / "sim" / "native" / "src"


def test_region_arithmetic_is_exact() -> None:
    source = Path(__file__).parent / "kernels" / "regions.cpp"
    program = build_program([source], face="core", chip="2201", includes=[NATIVE])
    done = subprocess.run(
        [program.executable],
        env={"LD_LIBRARY_PATH": str(program.engine.parent)},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert (done.returncode, done.stdout) == (0, "equal\n")
