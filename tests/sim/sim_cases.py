"""Small kernels written straight against the engine's interface, without any face."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from gen.sim import Profile, Program, Run, build_program, run_program

KERNELS = Path(__file__).parent / "kernels"


@cache
def program(file: str, face: str = "core") -> Program:
    """The built program of ``kernels/<file>.cpp``."""
    return build_program([KERNELS / f"{file}.cpp"], face=face, chip="2201")  # type: ignore[arg-type]


def run_case(file: str, case: str, *argv: str, face: str = "core", **profile: object) -> Run:
    """Runs one case of ``kernels/<file>.cpp`` under the profile (dav-2201, auto-sync off)."""
    settings = Profile(**{"chip": "2201", "auto_sync": False, **profile})  # type: ignore[arg-type]
    return run_program(program(file, face), argv=[case, *argv], profile=settings, timeout=60)


def codes(run: Run) -> list[tuple[str, str]]:
    """Code and edge of every finding, after making sure that there is a verdict at all."""
    assert run.crashed is None, (run.crashed, run.stderr)
    assert run.unsupported is None, run.unsupported
    return sorted((f.code, f.edge) for f in run.findings)
