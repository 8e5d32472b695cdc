"""A compiled kernel to a verdict: run it, look at what it stored, and judge."""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from gen.check.deep import look_deep, with_superfluous
from gen.check.faults import faults_in
from gen.check.foreign import own_host
from gen.check.foreign.host_memory import remarks
from gen.check.foreign.options import FileVerdict, OutputData, RunOptions
from gen.check.foreign.prepared import Prepared, Progress
from gen.check.foreign.unwritten import with_unwritten_outputs
from gen.check.formats import Array
from gen.check.no_blocks import no_blocks
from gen.check.poison import with_uninitialised_reads
from gen.check.verdict import Outcome, with_deep_look
from gen.check.witness import of_races
from gen.compile.base import CompileError, host_fault
from gen.compile.cpp_text import blank
from gen.sim import BuildError, Profile, Run, build_engine

MISSING_COMPILER = "E401"
UNKNOWN_TO_THE_MODEL = "E405"
BUILT_HERE = frozenset({"E402", "E405"})
"""Codes of what the C++ compiler refuses, among others."""


@dataclass(frozen=True)
class ReadyKernel:
    """A kernel file that is compiled, with its inputs and the profile: it runs again and again."""

    prepared: Prepared
    values: Mapping[str, Array]
    profile: Profile
    timeout: float

    def run(
        self, profile: Profile | None = None, kept: Path | None = None
    ) -> tuple[tuple[OutputData, ...], Run]:
        """What it leaves behind, and the report of the model. `kept` as in `gen.sim.run_program`."""
        made, wanted, chosen = self.prepared, self.prepared.outputs(), profile or self.profile
        if made.own_host:
            files = {path: self.values[name] for name, path in made.reads.items()}
            found, done = own_host.run(made.program.program, files, chosen, self.timeout, kept)
            if made.judges_itself and done.exit_code > 0 and done.launches:
                done = replace(done, crashed=None)
            return found, done
        given = made.given(self.values)
        arrays, done = made.program.run(given, wanted, chosen, self.timeout, kept=kept)
        return tuple(_output(name, array) for name, array in arrays.items()), done

    def again(self, profile: Profile, kept: Path) -> Run:
        """The report of a run that keeps its outputs in a folder."""
        return self.run(profile, kept)[1]


def judge(
    verdict: FileVerdict,
    kernel: ReadyKernel,
    text: str,
    options: RunOptions,
    progress: Progress = lambda _: None,
) -> FileVerdict:
    """`verdict` with everything that running `kernel` shows; `text` is what stands in the file."""
    profile, start = kernel.profile, time.perf_counter()
    progress("running on the model")
    outputs, done = kernel.run()
    done = with_uninitialised_reads(done, profile, kernel.again)
    done = with_unwritten_outputs(done, kernel.prepared.fresh)
    if profile.deep:
        progress("leaving out what synchronises")
        done = with_superfluous(done, profile, kernel.again)
    types = kernel.prepared.outputs()
    shown = of_races(done, profile, kernel.again, types) if options.witnesses else ()
    verdict = replace(
        verdict,
        front_end=kernel.prepared.program.front_end,
        faults=faults_in(done, kernel.prepared.program, verdict.path, text, shown),
        outputs=() if done.crashed or done.unsupported else outputs,
        inputs=kernel.values,
        scalars=kernel.prepared.scalars,
        counts={pipe: dict(names) for pipe, names in done.counts.items()},
        cycles=done.cycles if done.launches else None,
        seconds={**verdict.seconds, "run": time.perf_counter() - start},
        exit_code=done.exit_code,
        printed=done.stdout,
        host=remarks(done) if kernel.prepared.own_host else (),
    )
    verdict = _judged(verdict, kernel.prepared, outputs, done, text)
    if options.deep:
        progress("running under other schedules")
        verdict = with_deep_look(verdict, look_deep(done, profile, kernel.again, types))
    return verdict


def _output(name: str, array: Array) -> OutputData:
    digest = hashlib.sha256(np.ascontiguousarray(array).tobytes()).hexdigest()
    return OutputData(name, str(array.dtype), array.shape, digest, array)


def not_compiled(verdict: FileVerdict, error: CompileError) -> FileVerdict:
    """A missing compiler means that nothing was run; what the model cannot take is unsupported; else it failed.

    Raises BuildError where it is the model that does not compile: no kernel is to blame for that.
    """
    codes = {d.code for d in error.diagnostics}
    if codes & BUILT_HERE:
        _require_engine(Path(verdict.path))
    outcome = Outcome.FAILED
    if codes == {MISSING_COMPILER}:
        outcome = Outcome.NOT_RUN
    elif codes == {UNKNOWN_TO_THE_MODEL}:
        outcome = Outcome.UNSUPPORTED
    reason = "; ".join(d.message for d in error.diagnostics)
    return replace(verdict, outcome=outcome, reason=reason, diagnostics=error.diagnostics)


def _require_engine(path: Path) -> None:
    try:
        build_engine()
    except BuildError as error:
        if host_fault(error, path) is None:
            raise


def _judged(
    verdict: FileVerdict,
    prepared: Prepared,
    outputs: tuple[OutputData, ...],
    done: Run,
    text: str,
) -> FileVerdict:
    """The outcome. Clean is what ran to its end, was understood, has no error, and stored something."""
    if nothing := no_blocks(done, verdict.path, text):
        return replace(verdict, reason=nothing.message, diagnostics=(nothing,))
    if done.unsupported:
        reason = f"the model lacks {done.unsupported}{_uses(done.unsupported, text)}"
        return replace(verdict, outcome=Outcome.UNSUPPORTED, reason=reason)
    if done.crashed:
        return replace(verdict, reason=done.last_words)
    if done.errors:
        return replace(verdict, outcome=Outcome.FINDINGS)
    if empty := _empty(prepared, outputs, done):
        return replace(verdict, reason=empty)
    return replace(verdict, outcome=Outcome.CLEAN)


def _uses(what: str, text: str) -> str:
    """How often `text` names the interface that is missing, where `what` is one."""
    name = re.match(r"(?:AscendC::)?(\w+)$", what)
    count = len(re.findall(rf"\b{name[1]}\b", blank(text))) if name else 0
    return f" ({count} use{'s' * (count != 1)})" if count else ""


def _empty(prepared: Prepared, outputs: tuple[OutputData, ...], done: Run) -> str:
    """What makes a run without findings say nothing about the kernel."""
    if not any(n for names in done.counts.values() for n in names.values()):
        return "the kernel issued no instruction"
    if not any(t.written_bytes for launch in done.launches for t in launch.tensors):
        return "the kernel wrote to no tensor"
    left = {output.name for output in outputs}
    missing = [name for name in prepared.outputs() if name not in left]
    return f"it left no output {', '.join(missing)}" if missing and not prepared.own_host else ""
