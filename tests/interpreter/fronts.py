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
    assert_programs_agree(ready(path, "compiler"), ready(path, "interpreter"))


def assert_programs_agree(compiled: ReadyKernel, interpreted: ReadyKernel) -> None:
    """The same of kernels that are made."""
    made = compiled.prepared
    trial = Trial(made.given(compiled.values), made.outputs(), compiled.profile, compiled.timeout)
    program, path = interpreted.prepared.program, str(compiled.prepared.program.emitted_path)
    found = difference(made.program, program, trial, path)
    assert found is None, found.message
