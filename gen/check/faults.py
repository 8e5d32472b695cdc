"""Findings of the model, at the lines that the user can open."""

from __future__ import annotations

from gen.check.verdict import Fault, Place
from gen.compile.base import DeviceProgram
from gen.render import RenderedFile, Rendering
from gen.sim import Finding, Run
from gen.sim import Place as Instruction


def faults_of(run: Run, program: DeviceProgram, rendering: Rendering) -> tuple[Fault, ...]:
    """Every finding of `run`, errors first."""
    source = _Source(program, rendering)
    found = [_fault(f, source) for f in run.findings]
    return tuple(sorted(found, key=lambda f: f.severity != "error"))


def _fault(finding: Finding, source: _Source) -> Fault:
    places = [source.place(p) for p in (finding.first, finding.second) if p is not None]
    return Fault(
        code=finding.code,
        message=finding.message,
        severity=finding.severity,
        places=tuple(dict.fromkeys(p for p in places if p is not None)),
        count=finding.count,
        core=finding.core,
        edge=finding.edge,
    )


class _Source:
    """The text that findings of a program point into: emitted device source, or the rendering itself."""

    def __init__(self, program: DeviceProgram, rendering: Rendering) -> None:
        self._program = program
        self._kernel: RenderedFile | None = rendering.kernel(program.tree)
        text = program.emitted
        if text is None and self._kernel is not None:
            text = self._kernel.text
        self._lines = (text or "").splitlines()

    def place(self, instruction: Instruction) -> Place | None:
        frame = instruction.line
        if frame is None:
            return None
        text = self._lines[frame.line - 1] if 0 < frame.line <= len(self._lines) else instruction.op
        return Place(str(self._program.emitted_path), frame.line, text, self._step(frame.line))

    def _step(self, line: int) -> str | None:
        """The innermost step of the rendered line behind `line`, where that line is known."""
        if self._kernel is None:
            return None
        if self._program.emitted is not None:
            origin = self._program.origins.get(line)
            if origin is None:
                return None
            line = origin
        steps = self._kernel.steps_at(line)
        return steps[-1] if steps else None
