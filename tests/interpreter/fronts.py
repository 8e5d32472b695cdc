"""Both front ends of the A tree on one kernel, without the judgement of what it does."""

from __future__ import annotations

from pathlib import Path

from gen.check.agreement import Trial, difference
from gen.check.foreign import ReadyKernel, RunOptions, ready_file


def ready(path: Path, front_end: str) -> ReadyKernel:
    """The kernel as one front end makes it. Raises CompileError."""
    return ready_file(path, RunOptions(a_tree=front_end, witnesses=False), lambda _: None)


def assert_agree(text: str, folder: Path) -> None:
    """Outputs bit for bit, instructions one by one."""
    path = folder / "kernel.py"
    path.write_text(text, encoding="utf-8")
    compiled, interpreted = (ready(path, front_end) for front_end in ("compiler", "interpreter"))
    made = compiled.prepared
    trial = Trial(made.given(compiled.values), made.outputs(), compiled.profile, compiled.timeout)
    found = difference(made.program, interpreted.prepared.program, trial, str(path))
    assert found is None, found.message
