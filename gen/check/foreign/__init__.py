"""Kernel files that were not rendered here: found out what they are, compiled, run on the model and judged."""

from __future__ import annotations

from gen.check.foreign.judging import ReadyKernel
from gen.check.foreign.options import FileVerdict, OutputData, RunOptions
from gen.check.foreign.run import ready_file, run_file

__all__ = [
    "FileVerdict",
    "OutputData",
    "ReadyKernel",
    "RunOptions",
    "ready_file",
    "run_file",
]
