"""Kernels of the corpus: found, run under every profile that they speak of, and held against what they expect."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from gen.check.foreign import FileVerdict, RunOptions, run_file
from gen.check.foreign.files import CPP_SUFFIXES, tree_of
from gen.check.verdict import Outcome
from gen.compile.base import read_kernel
from gen.errors import Diagnostic, GenError, listing
from gen.plan import Tree
from gen.score.compare import differences
from gen.score.expectation import CorpusFile, Expectation, ProfileKey, parse
from gen.score.values import wrong_values

CORPUS = Path("tests/corpus")
SUFFIXES = frozenset({".py", *CPP_SUFFIXES} - {".h", ".hpp"})
TIMEOUT = 60.0
"""Seconds that a kernel of the corpus may run on the model."""
OPTIONS = RunOptions(timeout=TIMEOUT)

Progress = Callable[[str], None]


@dataclass(frozen=True)
class CaseResult:
    """One kernel under one profile; `differences` is empty where everything is as the file says."""

    file: CorpusFile
    key: ProfileKey
    expectation: Expectation
    verdict: FileVerdict
    differences: tuple[str, ...]


def find(folder: Path) -> tuple[Path, ...]:
    """The kernel files of a corpus, in the folders of the trees. Raises GenError (E101) where there are none."""
    found = sorted(
        path
        for tree in Tree
        for path in (folder / tree).rglob("*")
        if path.suffix in SUFFIXES and not path.name.startswith(("_", "."))
    )
    if not found:
        help = f"a corpus has the folders {listing(tuple(Tree), 'and')}"
        raise GenError(
            [Diagnostic("E101", "there are no kernels in the corpus", str(folder), help=help)]
        )
    return tuple(found)


def read(path: Path) -> CorpusFile:
    """One kernel file with what it expects. Raises GenError: E101, E143, E144."""
    text = read_kernel(path)
    tree = tree_of(path, text)
    folder = next((part for part in reversed(path.parts[:-1]) if part in tuple(Tree)), tree)
    if folder != tree:
        message = f"the file is of the tree {tree} and lies in the folder of {folder}"
        raise GenError([Diagnostic("E144", message, str(path))])
    return parse(path, text)


def judge(
    file: CorpusFile,
    key: ProfileKey,
    expectation: Expectation,
    progress: Progress = lambda _: None,
    options: RunOptions = OPTIONS,
) -> CaseResult:
    """Runs the file under one profile, which takes the place of what `options` say of that.

    A mistake in its launch line or arguments raises GenError.
    """
    options = replace(
        options,
        chip=key.chip,
        auto_sync=key.auto_sync == "on",
        flag_identity=key.flag_identity,
        xflag=key.xflag,
        k_tail=key.k_tail,
        witnesses=False,
        remarks=any(f.is_note for f in expectation.findings),
    )
    verdict = run_file(file.path, options, progress)
    different = differences(file, expectation, verdict)
    if not different and verdict.outcome is Outcome.CLEAN:
        different = tuple(wrong_values(file, verdict))
    return CaseResult(file, key, expectation, verdict, different)


def judge_all(
    file: CorpusFile, progress: Progress = lambda _: None, options: RunOptions = OPTIONS
) -> Iterator[CaseResult]:
    """Runs the file under every profile that it speaks of."""
    for key, expectation in file.runs():
        yield judge(file, key, expectation, progress, options)


def is_judged(result: CaseResult) -> bool:
    """Whether the model came to a verdict about the kernel: clean or findings."""
    return result.verdict.outcome in (Outcome.CLEAN, Outcome.FINDINGS)
