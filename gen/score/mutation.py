"""Runs the mutants of a kernel: which of them does the judge find?

A mutant is *killed* when its verdict is not clean: the model has findings, it hangs or crashes, or its outputs differ.
One that is not killed must be proved harmless: an oracle that shares no code with the judge
(:mod:`gen.check.order`) looks at all that the mutant did and finds every pair of conflicting accesses ordered. It is
*equivalent* then and does not count. Without that proof it has *survived*.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

import numpy as np

from gen.cache import write_atomically
from gen.check.order import unordered
from gen.compile.base import Array, CompileError, DeviceProgram, OutputSpec
from gen.score.mutants import Mutant, schemata
from gen.sim import Finding, Profile, Program, Run
from gen.sim.trace import read_trace

TIMEOUT = 30.0
"""Seconds that a mutant may run before it counts as hanging."""
_ATTEMPTS = 4
_HALTED = frozenset({"wait-without-set", "circular-wait"})


class Fate(StrEnum):
    """What became of a mutant."""

    KILLED = "killed"
    EQUIVALENT = "equivalent"
    SURVIVED = "survived"
    UNSUPPORTED = "unsupported"
    """The model lacks something that only the mutant uses: it counts as not killed."""


@dataclass(frozen=True)
class Difference:
    """The first element of an output that the mutant gets wrong; `index` counts in row-major order."""

    output: str
    index: tuple[int, ...]
    expected: float
    found: float
    count: int
    """Elements of the output that differ."""


@dataclass(frozen=True)
class Case:
    """A mutant and what became of it."""

    mutant: Mutant
    fate: Fate
    findings: tuple[Finding, ...] = ()
    reason: str = ""
    """How it ended when it neither ended well nor has findings; what proves it harmless."""
    difference: Difference | None = None

    @property
    def halted(self) -> bool:
        """Whether a core of it never came to its end."""
        codes = {f.code for f in self.findings} - {"queue-left"}
        return bool(self.reason) or any(c in _HALTED or c.startswith("queue-") for c in codes)


@dataclass(frozen=True)
class Kernel:
    """A kernel that runs clean, with what it runs on."""

    name: str
    program: DeviceProgram
    inputs: Mapping[str, Array]
    outputs: Mapping[str, OutputSpec]
    profile: Profile


class NotCleanError(Exception):
    """The kernel itself is not clean: its mutants would prove nothing."""


class Mutants:
    """All mutants of one kernel, as one program."""

    def __init__(self, kernel: Kernel) -> None:
        """Builds them. Raises NotCleanError, and CompileError where not even the unchanged lines compile."""
        self.kernel = kernel
        self._program, self.mutants = _build(kernel.program)
        self._right, run = self._execute(0)
        if not run.clean:
            raise NotCleanError(f"{kernel.name} is not clean by itself")

    def judge_all(self, progress: Callable[[int, int], None] = lambda done, of: None) -> list[Case]:
        """Every mutant, in the order of its line. `progress` gets how many are done, and of how many."""
        cases: list[Case] = []
        with ThreadPoolExecutor(max_workers=os.cpu_count() or 1) as pool:
            for case in pool.map(self.judge, self.mutants):
                cases.append(case)
                progress(len(cases), len(self.mutants))
        return cases

    def judge(self, mutant: Mutant) -> Case:
        """Runs one mutant."""
        outputs, run = self._execute(mutant.number)
        difference = _first_difference(self._right, outputs)
        if run.errors:
            return Case(mutant, Fate.KILLED, run.errors, "", difference)
        if run.unsupported:
            return Case(mutant, Fate.UNSUPPORTED, (), f"the model lacks {run.unsupported}")
        if run.crashed:
            return Case(mutant, Fate.KILLED, (), run.crashed)
        if difference or set(outputs) != set(self._right):
            return Case(mutant, Fate.KILLED, (), "its outputs differ", difference)
        return self._prove(mutant)

    def run(self, number: int, profile: Profile | None = None, kept: Path | None = None) -> Run:
        """Runs variant `number`, perhaps under another profile; `kept` gets what it leaves in global memory."""
        return self._execute(number, profile, kept=kept)[1]

    def _prove(self, mutant: Mutant) -> Case:
        """Whether the oracle finds every conflicting pair of accesses in order."""
        with tempfile.TemporaryDirectory(prefix="crosstree-") as folder:
            path = Path(folder, "trace")
            self._execute(mutant.number, trace=path)
            open_pairs = unordered(read_trace(path), self.kernel.profile)
        if open_pairs:
            reason = f"{len(open_pairs)} conflicting pairs of accesses are not ordered"
            return Case(mutant, Fate.SURVIVED, (), reason)
        reason = "every conflicting pair of accesses is ordered"
        return Case(mutant, Fate.EQUIVALENT, (), reason)

    def _execute(
        self,
        variant: int,
        profile: Profile | None = None,
        *,
        trace: Path | None = None,
        kept: Path | None = None,
    ) -> tuple[Mapping[str, Array], Run]:
        kernel = self.kernel
        chosen = replace(profile or kernel.profile, variant=variant, threads=1)
        return kernel.program.runner(
            self._program,
            kernel.inputs,
            kernel.outputs,
            chosen,
            TIMEOUT,
            trace=trace,
            kept=kept,
        )


def _build(kernel: DeviceProgram) -> tuple[Program, list[Mutant]]:
    """The program of all variants. What the compiler rejects of it is left out."""
    assert kernel.rebuild is not None
    source = kernel.program.sources[0]
    text = source.read_text(encoding="utf-8")
    left_out: frozenset[int] = frozenset()
    for attempt in range(_ATTEMPTS):
        changed, mutants = schemata(text, left_out)
        place = source.with_name(f"{source.stem}_variants.cpp")
        write_atomically(place, changed.encode())
        try:
            return kernel.rebuild(place), mutants
        except CompileError as error:
            lines = frozenset(_rejected_lines(error, place))
            if not lines - left_out or attempt == _ATTEMPTS - 1:
                raise
            left_out |= lines
    raise AssertionError("unreachable")


def _rejected_lines(error: CompileError, place: Path) -> Iterator[int]:
    pattern = re.compile(rf"{re.escape(place.name)}:(\d+):\d+: (?:fatal )?error")
    for diagnostic in error.diagnostics:
        yield from (int(line) for line in pattern.findall(diagnostic.message))
        if diagnostic.line:
            yield diagnostic.line


def _first_difference(
    right: Mapping[str, Array], outputs: Mapping[str, Array]
) -> Difference | None:
    for name, want in right.items():
        got = outputs.get(name)
        if got is None:
            continue
        size = want.dtype.itemsize
        raw = [np.ascontiguousarray(a).view(np.uint8).reshape(-1, size) for a in (want, got)]
        wrong = np.flatnonzero((raw[0] != raw[1]).any(axis=1))
        if len(wrong):
            first = tuple(int(i) for i in np.unravel_index(int(wrong[0]), want.shape))
            return Difference(name, first, float(want[first]), float(got[first]), len(wrong))
    return None
