"""Findings of the model, at the lines that the user can open."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from gen.check.verdict import Fault, Place
from gen.compile.base import DeviceProgram
from gen.render import Rendering
from gen.sim import Finding, Run
from gen.sim import Place as Instruction


def faults_of(
    run: Run, program: DeviceProgram, rendering: Rendering, folder: Path
) -> tuple[Fault, ...]:
    """Every finding of `run`, errors first; the kernels are said to lie below `folder`."""
    kernel = rendering.kernel(program.tree)
    if kernel is None:
        return _faults(run, _Source(program, "", ""))
    file = str(folder / rendering.name / kernel.path)
    return _faults(run, _Source(program, file, kernel.text, kernel.steps_at))


def faults_in(run: Run, program: DeviceProgram, file: str, text: str) -> tuple[Fault, ...]:
    """Every finding of `run`, errors first, of the kernel `text` that is said to lie at `file`."""
    return _faults(run, _Source(program, file, text))


def _faults(run: Run, source: _Source) -> tuple[Fault, ...]:
    found = [_fault(f, source) for f in run.findings]
    if run.crashed and run.crash_place and (place := source.place(run.crash_place)):
        found.insert(0, Fault("crash", run.crashed, "error", (place,)))
    return tuple(sorted(found, key=lambda f: f.severity != "error"))


def _fault(finding: Finding, source: _Source) -> Fault:
    places = [source.place(p) for p in (finding.first, finding.second) if p is not None]
    return Fault(
        code=finding.code,
        message=finding.sentence,
        severity=finding.severity,
        places=tuple(dict.fromkeys(p for p in places if p is not None)),
        count=finding.count,
        core=finding.core,
        edge=finding.edge,
    )


class _Source:
    """The text that findings point into: emitted device source, or the kernel itself."""

    def __init__(
        self,
        program: DeviceProgram,
        file: str,
        text: str,
        steps_at: Callable[[int], Sequence[str]] = lambda _: (),
    ) -> None:
        self._program = program
        self._file = file
        self._written = text.splitlines()
        self._steps_at = steps_at
        self._emitted = (program.emitted or "").splitlines()

    def place(self, instruction: Instruction) -> Place | None:
        frame = instruction.line
        if frame is None:
            return None
        if self._program.emitted is None:
            return self._in_kernel(frame.line, instruction.op)
        known = frame.line <= len(self._emitted)
        text = self._emitted[frame.line - 1] if known else instruction.op
        line = self._program.origins.get(frame.line)
        origin = self._in_kernel(line, "") if line else None
        step = origin.step if origin else None
        return Place(str(self._program.emitted_path), frame.line, text, step, origin)

    def _in_kernel(self, line: int, otherwise: str) -> Place:
        text = self._written[line - 1] if line <= len(self._written) else otherwise
        steps = self._steps_at(line)
        return Place(self._file, line, text, steps[-1] if steps else None)
