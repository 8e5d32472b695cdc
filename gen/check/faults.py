"""Findings of the model, at the lines that the user can open."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from gen.check.places import Place
from gen.check.remedy import Kernel, remedy_of
from gen.check.turned import as_meant
from gen.check.verdict import CRASH, TIMEOUT, UNSUPPORTED, Consequence, Fault
from gen.check.witness import Witness
from gen.check.wrong_wait import as_one
from gen.compile.base import DeviceProgram
from gen.plan import Form
from gen.render import Rendering
from gen.sim import Also, Finding, Run
from gen.sim import Place as Instruction

_AIV = re.compile(r"\bAIV[01]\b")


def faults_of(
    run: Run,
    program: DeviceProgram,
    rendering: Rendering,
    form: Form,
    folder: Path,
    witnesses: Sequence[Witness | None] = (),
) -> tuple[Fault, ...]:
    """Every finding of `run`, errors first, of one form; the kernels are said to lie below `folder`."""
    kernel = rendering.kernel(form)
    if kernel is None:
        return Source(program, "", "").faults(run, witnesses)
    file = str(folder / rendering.name / kernel.path)
    return Source(program, file, kernel.text, kernel.steps_at).faults(run, witnesses)


def faults_in(
    run: Run,
    program: DeviceProgram,
    file: str,
    text: str,
    witnesses: Sequence[Witness | None] = (),
) -> tuple[Fault, ...]:
    """Every finding of `run`, errors first, of the kernel `text` that is said to lie at `file`."""
    return Source(program, file, text).faults(run, witnesses)


class Source:
    """The text that findings point into: emitted device source, or the kernel itself."""

    def __init__(
        self,
        program: DeviceProgram,
        file: str,
        text: str,
        steps_at: Callable[[int], Sequence[str]] = lambda _: (),
    ) -> None:
        """`text` is the kernel, which is said to lie at `file`; `steps_at` names the steps of a line of it."""
        self._program = program
        self._file = file
        self._written = text.splitlines()
        self._steps_at = steps_at
        self._emitted = (program.emitted or "").splitlines()
        self._kernel = Kernel(str(program.tree), text, program.chip.arch)

    def faults(self, run: Run, witnesses: Sequence[Witness | None] = ()) -> tuple[Fault, ...]:
        """Every finding of `run`, errors first; `witnesses` are none, or one for each."""
        found = [self._fault(f) for f in run.findings]
        if witnesses:
            found = [replace(f, witness=w) for f, w in zip(found, witnesses, strict=True)]
        found[:0] = self._ends(run)
        faults = as_one(tuple(_once_each(found)), self._kernel, self._file)
        return tuple(sorted(faults, key=lambda f: f.severity != "error"))

    def _ends(self, run: Run) -> Iterator[Fault]:
        """Where a run stopped that did not come to its end."""
        if run.crashed and run.crash_place and (place := self._place(run.crash_place)):
            yield Fault(CRASH, run.crashed, "error", (place,))
        if run.unsupported and (place := self._place(run.unsupported_place)):
            yield Fault(UNSUPPORTED, f"the model lacks {run.unsupported}", "error", (place,))
        stood: dict[Place, list[str]] = {}
        for core in run.stood:
            if place := self._place(core.place):
                stood.setdefault(place, []).append(core.core)
        for place, cores in stood.items():
            more = f" and {len(cores) - 1} more" if len(cores) > 1 else ""
            message = f"{cores[0]}{more} stood here when the time was over"
            yield Fault(TIMEOUT, message, "error", (place,))

    def line(self, number: int, otherwise: str = "") -> Place:
        """Line `number` of the device source; `otherwise` stands for its text where the line is not known."""
        if self._program.emitted is None:
            return self._in_kernel(number, otherwise)
        known = number <= len(self._emitted)
        text = self._emitted[number - 1] if known else otherwise
        line = self._program.origins.get(number)
        origin = self._in_kernel(line, "") if line else None
        step = origin.step if origin else None
        return Place(str(self._program.emitted_path), number, text, step, origin)

    def _fault(self, finding: Finding) -> Fault:
        first, second = self._place(finding.first), self._place(finding.second)
        meant = as_meant(finding, self._kernel, self._written_at(first), self._written_at(second))
        if meant is not finding:
            finding, first, second = meant, second, first
        behind = self._place(finding.behind) or first
        return Fault(
            code=finding.code,
            message=finding.message,
            severity=finding.severity,
            places=_known(first, second),
            count=finding.count,
            core=finding.core,
            edge=finding.edge,
            remedy=remedy_of(finding, self._kernel, behind, second),
            also=tuple(self._consequence(a) for a in finding.also),
        )

    def _consequence(self, also: Also) -> Consequence:
        places = _known(self._place(also.first), self._place(also.second))
        return Consequence(also.code, also.edge, also.count, places)

    def _place(self, instruction: Instruction | None) -> Place | None:
        frame = instruction.line if instruction else None
        return (
            None if frame is None or instruction is None else self.line(frame.line, instruction.op)
        )

    def _written_at(self, place: Place | None) -> Place | None:
        """The place as a person wrote it; None where that is no line of the kernel."""
        own = place.origin or place if place else None
        if own is None or own.file != self._file or own.line > len(self._written):
            return None
        return own

    def _in_kernel(self, line: int, otherwise: str) -> Place:
        text = self._written[line - 1] if line <= len(self._written) else otherwise
        steps = self._steps_at(line)
        return Place(self._file, line, text, steps[-1] if steps else None)


def _once_each(faults: Iterable[Fault]) -> Iterator[Fault]:
    """What was found at the same lines is one fault with a count: the compiler may have made several copies of them, of
    which each block takes another one."""
    found: dict[object, Fault] = {}
    for fault in faults:
        same = _AIV.sub("AIV", fault.edge) or fault.message
        own = tuple((p.file, p.line) for p in ((place.origin or place) for place in fault.places))
        key = (fault.code, fault.severity, same, own or fault.message)
        known = found.get(key)
        found[key] = _both(known, fault) if known else fault
    yield from found.values()


def _both(one: Fault, other: Fault) -> Fault:
    also = {(a.code, a.edge, a.places): a for a in (*other.also, *one.also)}
    return replace(
        one,
        count=one.count + other.count,
        witness=one.witness or other.witness,
        also=tuple(also.values()),
    )


def _known(*places: Place | None) -> tuple[Place, ...]:
    """The places that are known, each once."""
    return tuple(dict.fromkeys(p for p in places if p is not None))
