"""Breaks one statement of a rendered kernel on purpose, for somebody who wants to see what happens then."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from gen.check.faults import Source
from gen.check.formats import numpy_dtype
from gen.check.frontends import OUT, compile_tree
from gen.check.inputs import input_sets
from gen.check.places import Place
from gen.check.profiles import profile_of
from gen.check.run import outputs_of
from gen.check.verdict import Fault
from gen.check.witness import of_races
from gen.errors import Diagnostic, GenError, listing
from gen.plan import Form, plan
from gen.render import render
from gen.score.mutants import Mutant, Operator
from gen.score.mutation import Case, Fate, Kernel, Mutants, NotCleanError
from gen.spec import Spec


@dataclass(frozen=True)
class Choice:
    """Which mutant is wanted; None and the empty string: any."""

    operator: Operator | None = None
    number: int | None = None
    """As :func:`gen.score.mutants.schemata` counts."""
    seed: int = 0
    """Of the choice among several."""


@dataclass(frozen=True)
class Broken:
    """A mutant, and what became of it."""

    spec: str
    form: Form
    mutants: int
    """How many the kernel has."""
    case: Case
    place: Place
    """The changed line: of the kernel, or of what its compiler emitted (with the kernel's line, if it has one)."""
    faults: tuple[Fault, ...]


Progress = Callable[[str], None]


def kernel_of(spec: Spec, form: Form, auto_sync: bool = True) -> tuple[Kernel, Source]:
    """The rendered kernel of `spec` in a form that it asks for, compiled, and its text for findings to point into.

    Raises GenError, also where the form is refused.
    """
    planned = plan(spec)
    if form in planned.refused:
        raise GenError([Diagnostic("E203", planned.refused[form], spec.source_path or spec.name)])
    rendering = render(planned)
    program = compile_tree(form, rendering, planned, lambda _: None)
    outputs = {n: (numpy_dtype(d), shape) for n, (d, shape) in outputs_of(spec).items()}
    profile = profile_of(program.chip, form.tree, auto_sync=auto_sync)
    kernel = Kernel(f"{spec.name}, {form}", program, input_sets(spec)[0], outputs, profile)
    file = rendering.kernel(form)
    assert file is not None
    path = OUT / rendering.name / file.path
    return kernel, Source(program, str(path), file.text, file.steps_at)


def mutants_of(spec: Spec, form: Form) -> tuple[Mutants, Source]:
    """All mutants of the rendered kernel of `spec` in a form that it asks for, built.

    Raises GenError where the form is refused, or its kernel does not compile or is not clean.
    """
    kernel, source = kernel_of(spec, form)
    path = spec.source_path or spec.name
    try:
        return Mutants(kernel), source
    except NotCleanError as error:
        help = f"see what is wrong with it: gen check {path}"
        raise GenError([Diagnostic("E602", str(error), path, help=help)]) from None


def broken(spec: Spec, form: Form, choice: Choice, progress: Progress = lambda _: None) -> Broken:
    """One mutant of the kernel that the model finds, or the very one that `choice` names.

    Raises GenError as `mutants_of` does, and where there is no such mutant.
    """
    progress("compiling")
    mutants, source = mutants_of(spec, form)
    wanted = _wanted(mutants.mutants, choice, spec)
    first: Case | None = None
    for mutant in wanted:
        progress(f"running mutant {mutant.number}")
        case = mutants.judge(mutant)
        if choice.number is not None or _tells_most(case):
            return _told(spec, form, mutants, case, source)
        if first is None and case.fate is Fate.KILLED and case.findings:
            first = case
    if first is not None:
        return _told(spec, form, mutants, first, source)
    message = f"the model finds none of the {len(wanted)} mutants of this kind: each is harmless"
    raise GenError([Diagnostic("E603", message, spec.source_path or spec.name)])


def _tells_most(case: Case) -> bool:
    """A race: the kernel runs to its end, and it depends on the timing whether its numbers are right."""
    return any(f.code.startswith("race-") for f in case.findings) and not case.halted


def _wanted(mutants: list[Mutant], choice: Choice, spec: Spec) -> list[Mutant]:
    found = [
        m
        for m in mutants
        if choice.operator in (None, m.operator) and choice.number in (None, m.number)
    ]
    if not found:
        what = f"number {choice.number}" if choice.number is not None else f"`{choice.operator}`"
        there = [o for o in Operator if any(m.operator is o for m in mutants)]
        help = f"it has {len(mutants)}, of {listing(there, 'and')}; --list shows them"
        message = f"the kernel has no mutant {what}"
        raise GenError([Diagnostic("E603", message, spec.source_path or spec.name, help=help)])
    random.Random(choice.seed).shuffle(found)
    return found


def _told(spec: Spec, form: Form, mutants: Mutants, case: Case, source: Source) -> Broken:
    number = case.mutant.number
    run = mutants.run(number)
    seen = of_races(
        run,
        mutants.kernel.profile,
        lambda profile, folder: mutants.run(number, profile, folder),
        mutants.kernel.outputs,
    )
    faults = source.faults(run, seen)
    place = source.line(case.mutant.line)
    return Broken(spec.name, form, len(mutants.mutants), case, place, faults)
