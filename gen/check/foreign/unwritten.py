"""Outputs to which no core stores anything: the engine sees that a tensor is one only when somebody writes to it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from gen.check.rerun import usable
from gen.sim import Finding, Run

CODE = "output-not-written"
STOPPED = (
    "wait-without-set",
    "circular-wait",
    "out-of-bounds",
    "wrong-core",
    "assert",
    "device-assert",
    "mutex",
    "queue-alloc",
    "queue-enque",
    "queue-deque",
    "queue-free",
    "queue-depth",
    "overflow",
)
"""Findings after which a core may never come to its stores."""


def with_unwritten_outputs(run: Run, outputs: Iterable[str]) -> Run:
    """`run` with a finding for each of `outputs`, by name, of which its kernels wrote no byte."""
    if not usable(run) or not run.launches or any(f.code in STOPPED for f in run.errors):
        return run
    written = {t.name for launch in run.launches for t in launch.tensors if t.written_bytes}
    seen = {t.name for launch in run.launches for t in launch.tensors}
    found = tuple(_finding(name) for name in outputs if name in seen - written)
    *before, last = run.launches
    return replace(run, launches=(*before, replace(last, findings=last.findings + found)))


def _finding(name: str) -> Finding:
    return Finding(
        code=CODE,
        severity="error",
        message=f"no element of {name} is ever written",
        space="GM",
        bytes=None,
        edge=name,
        count=1,
        core="",
        first=None,
        second=None,
        remedy="store the result, at least 32 bytes at a time or with a copy that takes fewer",
    )
