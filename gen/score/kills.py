"""How many mutants of clean kernels the judge finds, by the kind of mistake: of the corpus, and of the rendered kernels.

Each kernel is built once with all its mutants, which takes much longer than to run them: so it is the kernels of the
corpus of which a sample is taken, the same in every run.
"""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

from gen.cache import content_key, keep, recall
from gen.check.foreign import RunOptions, ready_file
from gen.compile.base import CompileError
from gen.errors import GenError
from gen.plan import Form, Plan, Tree, plan
from gen.render import render
from gen.score.breaking import kernel_of
from gen.score.corpus import TIMEOUT
from gen.score.keys import CACHE, judge_key
from gen.score.mutants import Mutant, Operator
from gen.score.mutation import Fate, Kernel, Mutants, NotCleanError
from gen.spec import Spec, load

SAMPLE = 20
"""Kernels of each tree whose mutants are run, beside the rendered ones, where nobody says otherwise."""

Report = Callable[[str, int, int], None]


@dataclass(frozen=True)
class KillRow:
    """Mutants of one operator in one tree. Equivalent ones, proved to order as much, do not count."""

    tree: str
    operator: str
    killed: int
    survived: int
    equivalent: int
    unsupported: int = 0

    @property
    def rate(self) -> float | None:
        """Share of the mutants that are wrong none the less which was found; None where there are none."""
        counted = self.killed + self.survived + self.unsupported
        return self.killed / counted if counted else None


@dataclass(frozen=True)
class Subject:
    """A kernel whose mutants are judged: a file of the corpus on a chip, or the rendering of a spec."""

    tree: Tree
    name: str
    text: str
    chip: str = ""
    path: Path | None = None
    spec: Spec | None = None
    form: Form | None = None
    """What of the rendering it is."""

    def build(self) -> Kernel:
        """Compiles it. Raises GenError."""
        if self.spec is not None and self.form is not None:
            return kernel_of(self.spec, self.form)[0]
        assert self.path is not None
        ready = ready_file(self.path, RunOptions(chip=self.chip, timeout=TIMEOUT))
        made = ready.prepared
        return Kernel(
            self.name, made.program, made.given(ready.values), made.outputs(), ready.profile
        )


@dataclass(frozen=True)
class Kills:
    """What came of the mutants; `left_out` are kernels that have none: not clean, or not to be built with them."""

    rows: tuple[KillRow, ...] = ()
    kernels: int = 0
    mutants: int = 0
    left_out: int = 0
    survivors: tuple[str, ...] = ()
    """Kernel, line and change of each mutant that survived."""


def rendered(paths: Iterable[Path]) -> tuple[Subject, ...]:
    """The renderings of specs, in every form that they ask for and can have."""
    return tuple(
        subject
        for path in sorted(paths)
        for spec in [load(str(path))]
        for subject in _renderings(spec, plan(spec))
    )


def _renderings(spec: Spec, planned: Plan) -> Iterable[Subject]:
    rendering = render(planned)
    for form in planned.trees:
        text = "\0".join(file.text for file in rendering.of_tree(form))
        yield Subject(form.tree, f"{spec.name} ({form})", text, spec=spec, form=form)


def sampled(subjects: Sequence[Subject], count: int | None) -> tuple[Subject, ...]:
    """`count` subjects of each tree, always the same ones while the names stay; None: all."""
    if count is None:
        return tuple(subjects)
    ranked = sorted(subjects, key=lambda s: zlib.crc32(s.name.encode()))
    chosen = {s for tree in Tree for s in [s for s in ranked if s.tree is tree][:count]}
    return tuple(s for s in subjects if s in chosen)


def judge_mutants(
    subjects: Sequence[Subject],
    report: Report = lambda what, done, of: None,
    *,
    jobs: int | None = None,
) -> Kills:
    """Runs all mutants of every subject."""
    found: dict[int, _Fates | None] = {}
    pool = ThreadPoolExecutor(jobs or os.cpu_count() or 1)
    try:
        waiting = {pool.submit(_fates, subject): i for i, subject in enumerate(subjects)}
        for job in as_completed(waiting):
            found[waiting[job]] = job.result()
            report(f"mutants of {subjects[waiting[job]].name}", len(found), len(subjects))
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
    return _added([(subjects[i], found[i]) for i in range(len(subjects))])


_Fates = tuple[tuple[str, str, str], ...]
"""Of one kernel: operator, fate and what was changed, of each mutant."""


def _fates(subject: Subject) -> _Fates | None:
    """None where the kernel has no mutants to speak of."""
    name = content_key("mutants", subject.text, subject.name, subject.chip, judge_key())
    stored = recall(CACHE, name)
    if stored is not None:
        kept = json.loads(stored)
        return kept and tuple((operator, fate, told) for operator, fate, told in kept)
    made = _judged(subject)
    keep(CACHE, name, json.dumps(made).encode())
    return made


def _judged(subject: Subject) -> _Fates | None:
    try:
        mutants = Mutants(subject.build())
    except (NotCleanError, CompileError, GenError):
        return None
    cases = map(mutants.judge, mutants.mutants)
    return tuple((str(c.mutant.operator), str(c.fate), _told(subject, c.mutant)) for c in cases)


def _told(subject: Subject, mutant: Mutant) -> str:
    after = mutant.after.strip() or "nothing"
    return f"{subject.name}, device line {mutant.line}: {mutant.before.strip()} became {after}"


def _added(found: Sequence[tuple[Subject, _Fates | None]]) -> Kills:
    counts: dict[tuple[str, str], dict[str, int]] = {}
    survivors = []
    for subject, fates in found:
        for operator, fate, told in fates or ():
            row = counts.setdefault((subject.tree, operator), dict.fromkeys(Fate, 0))
            row[fate] += 1
            if fate in (Fate.SURVIVED, Fate.UNSUPPORTED):
                survivors.append(told)
    made = [fates for _, fates in found if fates is not None]
    order = [(tree, operator) for tree in Tree for operator in Operator]
    return Kills(
        rows=tuple(_row(*key, counts[key]) for key in order if key in counts),
        kernels=len(made),
        mutants=sum(map(len, made)),
        left_out=len(found) - len(made),
        survivors=tuple(survivors),
    )


def _row(tree: str, operator: str, counts: dict[str, int]) -> KillRow:
    return KillRow(
        tree,
        operator,
        counts[Fate.KILLED],
        counts[Fate.SURVIVED],
        counts[Fate.EQUIVALENT],
        counts[Fate.UNSUPPORTED],
    )
