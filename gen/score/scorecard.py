"""The score of the judge on a corpus: every kernel under every profile, on all cores of the host, each judged once."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path

from gen.cache import content_key, keep, recall
from gen.check.verdict import Outcome
from gen.compile.ascendc import INCLUDE
from gen.compile.base import read_kernel
from gen.errors import Diagnostic, GenError
from gen.plan import Tree
from gen.score.corpus import find, judge, read
from gen.score.expectation import CorpusFile, Expectation, ProfileKey
from gen.score.keys import CACHE, judge_key
from gen.score.kills import Kills, Subject
from gen.score.record import Record
from gen.score.tally import Tally

Report = Callable[[str, int, int], None]
"""Is told what was judged last, how many are, and of how many."""


@dataclass(frozen=True)
class Published:
    """Figures that another checker published, for comparison."""

    name: str
    unit: str
    recall: float
    precision: float
    source: str


THREAD_SANITIZER = (
    Published("ThreadSanitizer", "file", 0.775, 0.986, "DataRaceBench"),
    Published("ThreadSanitizer", "pair of lines", 0.657, 0.779, "DataRaceBench"),
)


@dataclass(frozen=True)
class Scorecard:
    """All records, and the mutants of the clean kernels where they were judged."""

    records: tuple[Record, ...]
    kills: Kills = field(default_factory=Kills)

    @property
    def total(self) -> Tally:
        """Over everything."""
        return Tally.of(self.records)

    def by_tree(self) -> dict[str, Tally]:
        """A tally for each tree that has kernels."""
        return {
            tree: Tally.of(r for r in self.records if r.tree == tree)
            for tree in Tree
            if any(r.tree == tree for r in self.records)
        }

    def by_profile(self) -> dict[tuple[str, str], Tally]:
        """A tally for each tree and profile, in the order of the trees."""
        keys = sorted({(r.tree, r.profile) for r in self.records}, key=_rank)
        return {
            key: Tally.of(r for r in self.records if (r.tree, r.profile) == key) for key in keys
        }

    def differing(self) -> tuple[Record, ...]:
        """What is not as the files say."""
        return tuple(r for r in self.records if r.differences)


def _rank(key: tuple[str, str]) -> tuple[int, str, int, str]:
    tree, profile = key
    chip, _, rest = profile.partition(",")
    return list(Tree).index(Tree(tree)), chip, rest.count(",") + bool(rest), rest


def score(
    folder: Path, report: Report = lambda what, done, of: None, *, jobs: int | None = None
) -> Scorecard:
    """Judges the corpus in `folder`. Raises GenError with the mistakes of all files that cannot be read as kernels."""
    cases = list(_cases(folder))
    records: dict[int, Record] = {}
    faults: list[Diagnostic] = []
    pool = ThreadPoolExecutor(jobs or os.cpu_count() or 1)
    try:
        waiting = {pool.submit(_record, *case): i for i, case in enumerate(cases)}
        for job in as_completed(waiting):
            index = waiting[job]
            try:
                records[index] = job.result()
            except GenError as error:
                faults += error.diagnostics
            report(cases[index][0].path.name, len(records) + len(faults), len(cases))
    finally:
        # An interrupt must not wait for what has not begun.
        pool.shutdown(wait=False, cancel_futures=True)
    if faults:
        raise GenError(dict.fromkeys(faults))
    return Scorecard(tuple(records[i] for i in range(len(cases))))


def clean_kernels(card: Scorecard) -> tuple[Subject, ...]:
    """The kernels of the corpus that are clean as they are to be, each on the first chip that it names."""
    found: dict[str, Subject] = {}
    for record in card.records:
        is_plain = "," not in record.profile and not record.differences
        if is_plain and record.outcome == Outcome.CLEAN and record.path not in found:
            path = Path(record.path)
            found[record.path] = Subject(
                Tree(record.tree), record.path, read_kernel(path), record.profile, path
            )
    return tuple(found.values())


def _cases(folder: Path) -> Iterator[tuple[CorpusFile, ProfileKey, Expectation]]:
    faults: list[Diagnostic] = []
    for path in find(folder):
        try:
            file = read(path)
        except GenError as error:
            faults += error.diagnostics
            continue
        for key, expectation in file.runs():
            yield file, key, expectation
    if faults:
        raise GenError(faults)


def _record(file: CorpusFile, key: ProfileKey, expectation: Expectation) -> Record:
    """Judges one kernel under one profile, or remembers what came of it."""
    name = content_key(file.text, *_beside(file), str(file.path), str(key), judge_key())
    stored = recall(CACHE, name)
    if stored is not None:
        try:
            return Record.from_json(json.loads(stored))
        except (ValueError, TypeError, KeyError):
            pass  # written by another version
    record = Record.of(judge(file, key, expectation))
    if record.outcome != "not run":
        keep(CACHE, name, json.dumps(record.to_json()).encode())
    return record


def _beside(file: CorpusFile) -> Sequence[str]:
    """Texts of the files beside the kernel that it includes."""
    places = (file.path.parent / name for name in INCLUDE.findall(file.text))
    return [place.read_text("utf-8", "replace") for place in places if place.is_file()]
