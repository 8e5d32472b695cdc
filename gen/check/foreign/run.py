"""A kernel file to a verdict: find out what it is, compile, run, judge."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from gen.check.deep import DeepLook, look_deep, with_superfluous
from gen.check.faults import faults_in
from gen.check.foreign import own_host
from gen.check.foreign.arguments import arguments_of
from gen.check.foreign.files import HeaderLine, chip_of, first, header, tree_of
from gen.check.foreign.inputs import described, input_values, require_known
from gen.check.foreign.launch import LaunchLine, parse_launch
from gen.check.foreign.options import FileVerdict, OutputData, RunOptions
from gen.check.foreign.prepared import KernelFile, Prepared, Progress
from gen.check.foreign.python_kernel import inspect
from gen.check.foreign.tensors import TensorSpec
from gen.check.foreign.unwritten import with_unwritten_outputs
from gen.check.formats import Array
from gen.check.poison import with_uninitialised_reads
from gen.check.profiles import profile_of
from gen.check.verdict import Outcome
from gen.check.witness import of_races
from gen.compile.base import CompileError, host_fault, read_kernel
from gen.errors import Diagnostic, GenError
from gen.plan import Tree
from gen.sim import BuildError, Profile, Run, build_engine

MISSING_COMPILER = "E401"
UNKNOWN_TO_THE_MODEL = "E405"
BUILT_HERE = frozenset({"E402", "E405"})
"""Codes of what the C++ compiler refuses, among others."""


def run_file(
    path: Path, options: RunOptions | None = None, progress: Progress = lambda _: None
) -> FileVerdict:
    """Judges one kernel file under one profile.

    Raises GenError for what the user got wrong: a file that cannot be read (E101) or belongs to no tree (E143), options
    that do not go with it (E140), a launch line (E141) or an input (E142). What the file itself got wrong is a verdict.
    """
    options = options or RunOptions()
    file, lines = _file(path, options)
    profile = _profile(file, options)
    verdict = FileVerdict(str(path), file.tree, file.chip.name, Outcome.FAILED, profile=profile)
    start = time.perf_counter()
    try:
        kernel = _ready(file, lines, options, progress)
    except CompileError as error:
        return _not_compiled(verdict, error)
    compiled = time.perf_counter()
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
        faults=faults_in(done, kernel.prepared.program, str(path), file.text, shown),
        outputs=() if done.crashed else outputs,
        inputs=kernel.values,
        scalars=kernel.prepared.scalars,
        counts={pipe: dict(names) for pipe, names in done.counts.items()},
        cycles=done.cycles if done.launches else None,
        seconds={"compile": compiled - start, "run": time.perf_counter() - compiled},
    )
    verdict = _judged(verdict, kernel.prepared, outputs, done)
    if options.deep:
        progress("running under other schedules")
        verdict = _looked(verdict, look_deep(done, profile, kernel.again, types))
    return verdict


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
            return own_host.run(made.program.program, files, chosen, self.timeout, kept)
        given = made.given(self.values)
        found, done = made.program.run(given, wanted, chosen, self.timeout, kept=kept)
        return tuple(_output(name, array) for name, array in found.items()), done

    def again(self, profile: Profile, kept: Path) -> Run:
        """The report of a run that keeps its outputs in a folder."""
        return self.run(profile, kept)[1]


def ready_file(
    path: Path, options: RunOptions | None = None, progress: Progress = lambda _: None
) -> ReadyKernel:
    """A kernel file, compiled. Raises GenError as `run_file` does, and CompileError."""
    options = options or RunOptions()
    file, lines = _file(path, options)
    return _ready(file, lines, options, progress)


def _file(path: Path, options: RunOptions) -> tuple[KernelFile, tuple[HeaderLine, ...]]:
    text = read_kernel(path) if options.text is None else options.text
    lines = header(text)
    tree = options.tree or tree_of(path, text)
    chip = chip_of(options.chip, tree, path, first(lines, "chip"))
    return KernelFile(path, text, tree, chip), lines


def _ready(
    file: KernelFile, lines: tuple[HeaderLine, ...], options: RunOptions, progress: Progress
) -> ReadyKernel:
    given, files = described(file.path, options)
    prepared = _prepare(file, lines, options, given, progress)
    require_known(file.path, prepared, given, files)
    values = input_values(prepared, options, files)
    return ReadyKernel(prepared, values, _profile(file, options), options.timeout)


def _profile(file: KernelFile, options: RunOptions) -> Profile:
    return profile_of(
        file.chip,
        file.tree,
        auto_sync=options.auto_sync,
        flag_identity=options.flag_identity,
        xflag=options.xflag,
        k_tail=options.k_tail,
        deep=options.deep or options.remarks,
    )


def _prepare(
    file: KernelFile,
    lines: tuple[HeaderLine, ...],
    options: RunOptions,
    given: Mapping[str, TensorSpec],
    progress: Progress,
) -> Prepared:
    launch = _launch(file.path, lines, options)
    if file.tree is Tree.ASCENDC:
        from gen.check.foreign import ascendc

        _no_arguments(file.path, options)
        launch = launch and replace(launch, arguments=_overridden(launch, given))
        return ascendc.prepare(file, launch, given, progress)
    if launch is not None:
        launch.require_tensors_only()
        given = {**launch.tensors, **given}
    kernel = inspect(file.text)
    arguments = arguments_of(file.path, kernel, options, lines)
    if file.tree is Tree.M:
        from gen.check.foreign import m_tree

        return m_tree.prepare(file, kernel, arguments, given, progress)
    from gen.check.foreign import a_tree

    return a_tree.prepare(file, kernel, arguments, given, progress)


def _launch(path: Path, lines: tuple[HeaderLine, ...], options: RunOptions) -> LaunchLine | None:
    if options.launch is not None:
        return parse_launch(options.launch, path, None)
    line = first(lines, "launch")
    return parse_launch(line.value, path, line) if line else None


def _overridden(launch: LaunchLine, given: Mapping[str, TensorSpec]) -> dict[str, TensorSpec | str]:
    """The launch's arguments with the tensors that the command line describes otherwise."""
    found = dict(launch.arguments)
    for name, spec in given.items():
        old = found.get(name)
        if isinstance(old, TensorSpec):
            found[name] = replace(spec, role=spec.role or old.role)
    return found


def _no_arguments(path: Path, options: RunOptions) -> None:
    if options.arguments or options.function:
        what = "--arg" if options.arguments else "--function"
        help = "name kernel and scalars in --launch: kernel=add n=3"
        message = f"{what} is for Python kernels"
        raise GenError([Diagnostic("E140", message, str(path), help=help)])


def _output(name: str, array: Array) -> OutputData:
    digest = hashlib.sha256(np.ascontiguousarray(array).tobytes()).hexdigest()
    return OutputData(name, str(array.dtype), array.shape, digest, array)


def _not_compiled(verdict: FileVerdict, error: CompileError) -> FileVerdict:
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


def _looked(verdict: FileVerdict, deep: DeepLook) -> FileVerdict:
    """The verdict with what all schedules say: a contradiction leaves none."""
    verdict = replace(verdict, deep=deep)
    if verdict.outcome is Outcome.CLEAN and deep.contradiction:
        return replace(verdict, outcome=Outcome.FAILED, reason=deep.contradiction)
    return verdict


def _require_engine(path: Path) -> None:
    try:
        build_engine()
    except BuildError as error:
        if host_fault(error, path) is None:
            raise


def _judged(
    verdict: FileVerdict, prepared: Prepared, outputs: tuple[OutputData, ...], done: Run
) -> FileVerdict:
    """The outcome. Clean is what ran to its end, was understood, has no error, and stored something."""
    if done.unsupported:
        return replace(
            verdict, outcome=Outcome.UNSUPPORTED, reason=f"the model lacks {done.unsupported}"
        )
    if done.crashed:
        return replace(verdict, reason=_last_words(done))
    if done.errors:
        return replace(verdict, outcome=Outcome.FINDINGS)
    if empty := _empty(prepared, outputs, done):
        return replace(verdict, reason=empty)
    return replace(verdict, outcome=Outcome.CLEAN)


def _empty(prepared: Prepared, outputs: tuple[OutputData, ...], done: Run) -> str:
    """What makes a run without findings say nothing about the kernel."""
    if not any(n for names in done.counts.values() for n in names.values()):
        return "the kernel issued no instruction"
    if not any(t.written_bytes for launch in done.launches for t in launch.tensors):
        return "the kernel wrote to no tensor"
    left = {output.name for output in outputs}
    missing = [name for name in prepared.outputs() if name not in left]
    return f"it left no output {', '.join(missing)}" if missing and not prepared.own_host else ""


def _last_words(done: Run) -> str:
    lines = done.stderr.strip().splitlines()
    return f"{done.crashed}: {lines[-1]}" if lines else str(done.crashed)
