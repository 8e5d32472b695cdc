"""Spec to verdict: render, compile, run and judge every tree."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from gen.check import agreement, profiles
from gen.check.bounds import Bounded
from gen.check.compare import Accuracy, Pair, against_each_other, against_reference, worst
from gen.check.deep import look_deep, with_superfluous
from gen.check.faults import faults_of
from gen.check.formats import Array, numpy_dtype
from gen.check.frontends import OUT, Progress, compile_tree
from gen.check.inputs import input_sets
from gen.check.no_blocks import no_blocks
from gen.check.poison import with_uninitialised_reads
from gen.check.profiles import profile_of
from gen.check.reference import reference
from gen.check.rerun import Rerun
from gen.check.verdict import Level, Outcome, SpecVerdict, TreeVerdict, with_deep_look
from gen.check.witness import of_races
from gen.compile.a_tree.front_ends import partner
from gen.compile.base import CompileError, DeviceProgram, OutputSpec
from gen.plan import Form, Plan, Tree, forms_of, plan
from gen.render import Rendering, edited
from gen.render.remembered import rendered
from gen.sim import Profile, Run
from gen.spec import DType, ElementwiseSpec, GemmSpec, Spec

DEFAULT_TIMEOUT = 120.0
"""Seconds that a kernel may run on the model before it counts as hanging."""
TOOLCHAIN_MISSING = "E401"


@dataclass(frozen=True)
class Options:
    """How to judge. `auto_sync` None: as the tree's compiler does by default (on)."""

    trees: Collection[str] = tuple(Form)
    """Forms, by name; those that a spec does not ask for are left out."""
    seed: int | None = None
    auto_sync: bool | None = None
    flag_identity: str = "doc"
    xflag: str = "counter"
    k_tail: str = "group"
    hazards: bool = True
    a_tree: str = "default"
    """The front end of the A tree (`gen.compile.a_tree.front_ends.FrontEnd`)."""
    source: Path | None = None
    """Folder of renderings (`out`) that are judged as they stand there, instead of fresh ones."""
    timeout: float = DEFAULT_TIMEOUT
    deep: bool = False
    """Whether to rerun each kernel under all schedules."""


def check(
    spec: Spec, options: Options | None = None, progress: Callable[[str, str], None] | None = None
) -> SpecVerdict:
    """Judges the renderings of `spec` in the three trees, in each form that it asks for.

    `progress` gets (form, what it does now). Raises GenError where the spec has no plan; whatever goes wrong in one
    form is that form's verdict.
    """
    options = options or Options()
    report = progress or (lambda tree, what: None)
    planned = plan(spec)
    rendering = rendered(planned)
    inputs = input_sets(spec, options.seed)
    forms = [f for f in forms_of(spec) if f in options.trees]
    if options.source is not None:
        rendering = edited(rendering, options.source, tuple(forms))
    pool = ThreadPoolExecutor(max_workers=len(forms) + 1)
    try:
        wanted = [pool.submit(reference, spec, arrays) for arrays in inputs]
        jobs = [
            pool.submit(_Job(f, planned, rendering, inputs, options, report).run) for f in forms
        ]
        results = [job.result() for job in jobs]
        want = [reference_.result() for reference_ in wanted]
    finally:
        # An interrupt must not wait for compilers: what has not begun never does.
        pool.shutdown(wait=False, cancel_futures=True)
    judged = tuple(_judged(verdict, outputs, want, spec) for verdict, outputs in results)
    return SpecVerdict(
        spec.name, spec.source_path or spec.name, judged, _pairs(results, want, spec)
    )


def outputs_of(spec: Spec) -> dict[str, tuple[DType, tuple[int, ...]]]:
    """Name, number format and shape of each output."""
    if isinstance(spec, ElementwiseSpec):
        return {spec.output.name: (spec.output.dtype, spec.shape)}
    if isinstance(spec, GemmSpec):
        return {"C": (spec.c, (spec.m, spec.n))}
    return {"y": (spec.dtype, (spec.rows, spec.cols))}


Outputs = Mapping[str, Array]


@dataclass(frozen=True)
class _Job:
    """One form, from its rendering to outputs and findings."""

    form: Form
    plan: Plan
    rendering: Rendering
    inputs: Sequence[Mapping[str, Array]]
    options: Options
    report: Callable[[str, str], None]

    def run(self) -> tuple[TreeVerdict, list[Outputs]]:
        """The verdict without the values, and the outputs for each set of inputs."""
        if self.form in self.plan.refused:
            reason = self.plan.refused[self.form]
            return TreeVerdict(self.form, "-", Level.REFUSED, Outcome.NOT_RUN, reason), []
        verdict = TreeVerdict(
            self.form,
            self.plan.trees[self.form].chip.name,
            Level.RENDERED,
            Outcome.NOT_RUN,
            profile=profiles.text(self._profile()),
        )
        start = time.perf_counter()
        try:
            program = self._compiled(self.options.a_tree)
        except CompileError as error:
            return self._beside(error, _not_compiled(verdict, error)), []
        compiled = time.perf_counter()
        self.report(self.form, "running on the model")
        verdict = replace(
            verdict,
            level=Level.COMPILED,
            front_end=program.front_end,
        )
        verdict, outputs = self._execute(program, verdict)
        if self.form.tree is Tree.A and partner(self.options.a_tree):
            verdict = self._compared(program, verdict)
        seconds = {"compile": compiled - start, "run": time.perf_counter() - compiled}
        return replace(verdict, seconds=seconds), outputs

    def _compiled(self, front_end: str) -> DeviceProgram:
        return compile_tree(
            self.form,
            self.rendering,
            self.plan,
            self._progress,
            self.folder,
            front_end,
            self.options.timeout,
        )

    def _compared(self, program: DeviceProgram, verdict: TreeVerdict) -> TreeVerdict:
        """The verdict with what the other front end makes of the kernel, where that is something else."""
        self.report(self.form, "comparing the front ends")
        file = self._file()
        try:
            other = self._compiled(str(partner(self.options.a_tree)))
        except CompileError as error:
            if reason := agreement.uncompared(error):
                return replace(verdict, outcome=Outcome.FAILED, reason=reason)
            return replace(verdict, faults=(*verdict.faults, agreement.refused(error, file)))
        for inputs in self.inputs:
            trial = agreement.Trial(inputs, self._wanted(), self._profile(), self.options.timeout)
            fault = agreement.difference(program, other, trial, file)
            if fault is not None:
                faults = (fault, *verdict.faults)
                return replace(verdict, outcome=Outcome.FINDINGS, faults=faults)
        return replace(verdict, front_end=f"{program.front_end} = {other.front_end}")

    def _beside(self, error: CompileError, verdict: TreeVerdict) -> TreeVerdict:
        """The verdict with what the other front end says of a kernel that the first does not take."""
        other = partner(self.options.a_tree)
        if self.form.tree is not Tree.A or other is None:
            return verdict
        faults = agreement.beside(error, lambda: self._compiled(str(other)), self._file())
        return replace(verdict, faults=faults)

    def _file(self) -> str:
        kernel = self.rendering.kernel(self.form)
        assert kernel is not None
        return str(self.folder / self.rendering.name / kernel.path)

    def _text(self) -> str:
        kernel = self.rendering.kernel(self.form)
        return kernel.text if kernel else ""

    def _execute(
        self, program: DeviceProgram, verdict: TreeVerdict
    ) -> tuple[TreeVerdict, list[Outputs]]:
        """Runs one set of inputs after the other, up to the first that is not clean."""
        made: list[Outputs] = []
        for inputs in self.inputs:
            profile, timeout = self._profile(), self.options.timeout
            outputs, done = program.run(inputs, self._wanted(), profile, timeout)
            rerun = self._rerun(program, inputs)
            done = with_uninitialised_reads(done, profile, rerun)
            if self.options.deep:
                self.report(self.form, "leaving out what synchronises")
                done = with_superfluous(done, profile, rerun)
            witnesses = of_races(done, profile, rerun, self._wanted())
            made.append(outputs)
            verdict = replace(
                verdict,
                faults=faults_of(done, program, self.rendering, self.form, self.folder, witnesses),
                counts={pipe: dict(names) for pipe, names in done.counts.items()},
                cycles=done.cycles if done.launches else None,
            )
            verdict = _outcome(verdict, done, outputs, self._wanted())
            if nothing := no_blocks(done, self._file(), self._text()):
                reason = nothing.message
                verdict = replace(
                    verdict, outcome=Outcome.FAILED, reason=reason, diagnostics=(nothing,)
                )
            if self.options.deep:
                self.report(self.form, "running under other schedules")
                verdict = with_deep_look(verdict, look_deep(done, profile, rerun, self._wanted()))
            if verdict.outcome is not Outcome.CLEAN:
                break
        return verdict, made

    def _rerun(self, program: DeviceProgram, inputs: Mapping[str, Array]) -> Rerun:
        def rerun(profile: Profile, kept: Path) -> Run:
            return program.run(inputs, self._wanted(), profile, self.options.timeout, kept=kept)[1]

        return rerun

    @property
    def folder(self) -> Path:
        return self.options.source or OUT

    @property
    def _progress(self) -> Progress:
        return lambda what: self.report(self.form, what)

    def _profile(self) -> Profile:
        options = self.options
        return profile_of(
            self.plan.trees[self.form].chip,
            self.form.tree,
            auto_sync=options.auto_sync,
            flag_identity=options.flag_identity,
            xflag=options.xflag,
            k_tail=options.k_tail,
            hazards=options.hazards,
            deep=options.deep,
        )

    def _wanted(self) -> dict[str, OutputSpec]:
        return {n: (numpy_dtype(d), shape) for n, (d, shape) in outputs_of(self.plan.spec).items()}


def _not_compiled(verdict: TreeVerdict, error: CompileError) -> TreeVerdict:
    """A missing compiler leaves the tree rendered; a compiler that says no is a failure."""
    missing = all(d.code == TOOLCHAIN_MISSING for d in error.diagnostics)
    reason = "\n".join(f"{d.message}; {d.help}" if d.help else d.message for d in error.diagnostics)
    if missing:
        return replace(verdict, outcome=Outcome.NOT_RUN, reason=reason)
    return replace(
        verdict, outcome=Outcome.FAILED, reason=reason, diagnostics=tuple(error.diagnostics)
    )


def _outcome(
    verdict: TreeVerdict, done: Run, outputs: Outputs, wanted: Collection[str]
) -> TreeVerdict:
    if done.unsupported:
        return replace(
            verdict, outcome=Outcome.UNSUPPORTED, reason=f"the model lacks {done.unsupported}"
        )
    if done.crashed:
        return replace(verdict, outcome=Outcome.FAILED, reason=done.last_words)
    if done.errors:
        return replace(verdict, outcome=Outcome.FINDINGS)
    if missing := [name for name in wanted if name not in outputs]:
        return replace(
            verdict, outcome=Outcome.FAILED, reason=f"it left no output {', '.join(missing)}"
        )
    return replace(verdict, outcome=Outcome.CLEAN)


def _judged(
    verdict: TreeVerdict,
    outputs: Sequence[Outputs],
    want: Sequence[Mapping[str, Bounded]],
    spec: Spec,
) -> TreeVerdict:
    """Holds the outputs against the reference: a level is only reached with the right values."""
    types = outputs_of(spec)
    accuracy: dict[str, Accuracy] = {}
    for made, wanted in zip(outputs, want, strict=False):
        for name, got in made.items():
            found = against_reference(name, got, wanted[name], types[name][0])
            accuracy[name] = worst(accuracy[name], found) if name in accuracy else found
    verdict = replace(verdict, accuracy=accuracy)
    if verdict.outcome is not Outcome.CLEAN:
        return verdict
    if any(a.mismatch for a in accuracy.values()):
        return replace(verdict, outcome=Outcome.FINDINGS)
    return replace(verdict, level=Level.SIMULATED)


def _pairs(
    results: Sequence[tuple[TreeVerdict, Sequence[Outputs]]],
    want: Sequence[Mapping[str, Bounded]],
    spec: Spec,
) -> tuple[Pair, ...]:
    """Each pair of forms once: where it disagrees, or else where it is furthest apart."""
    found: dict[tuple[str, str], Pair] = {}
    for i, wanted in enumerate(want):
        for name, (dtype, _) in outputs_of(spec).items():
            made = [(v.tree, o[i][name]) for v, o in results if i < len(o) and name in o[i]]
            for pair in against_each_other(name, made, wanted[name], dtype):
                key = (pair.left, pair.right)
                if key not in found or _apart(pair) > _apart(found[key]):
                    found[key] = pair
    return tuple(found.values())


def _apart(pair: Pair) -> tuple[bool, float]:
    return (pair.mismatch is not None, pair.max_ulp)
