"""A kernel of the A tree in both of its front ends: the verdict on one, and what the other makes of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from gen.check import agreement
from gen.check.foreign.judging import ReadyKernel
from gen.check.foreign.options import FileVerdict
from gen.check.foreign.prepared import Progress
from gen.check.verdict import Outcome
from gen.compile.base import CompileError, DeviceProgram


def compared(
    verdict: FileVerdict,
    kernel: ReadyKernel,
    other: Callable[[], DeviceProgram],
    progress: Progress,
) -> FileVerdict:
    """The verdict on `kernel` with what the `other` front end makes of it, where that is something else.

    `other` compiles, and may raise CompileError; a comparison that cannot be made is no clean one.
    """
    progress("comparing the front ends")
    try:
        program = other()
    except CompileError as error:
        if reason := agreement.uncompared(error):
            return replace(verdict, outcome=Outcome.FAILED, reason=reason)
        return replace(verdict, faults=(*verdict.faults, agreement.refused(error, verdict.path)))
    made = kernel.prepared
    trial = agreement.Trial(
        made.given(kernel.values), made.outputs(), kernel.profile, kernel.timeout
    )
    fault = agreement.difference(made.program, program, trial, verdict.path)
    if fault is None:
        return replace(verdict, front_end=f"{verdict.front_end} = {program.front_end}")
    return replace(verdict, outcome=Outcome.FINDINGS, faults=(fault, *verdict.faults))
