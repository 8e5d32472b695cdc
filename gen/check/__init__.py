"""Outputs and findings to verdicts: equal to the spec, equal to each other, every core, every race."""

from __future__ import annotations

from gen.check.run import DEFAULT_TIMEOUT, Options, check
from gen.check.verdict import Fault, Level, Outcome, Place, SpecVerdict, TreeVerdict

__all__ = [
    "DEFAULT_TIMEOUT",
    "Fault",
    "Level",
    "Options",
    "Outcome",
    "Place",
    "SpecVerdict",
    "TreeVerdict",
    "check",
]
