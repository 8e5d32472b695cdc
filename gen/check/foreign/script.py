"""A kernel file run as its author runs it: its own script makes the inputs, calls the kernels and checks the numbers.

For Ascend C the script is the file's own main() with `scripts/gen_data.py` and `scripts/verify_result.py` beside it; for
TileLang it is the Python file itself.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from gen.check.foreign.options import FileVerdict, RunOptions
from gen.check.foreign.prepared import Progress
from gen.check.foreign.run import file_of
from gen.check.verdict import Outcome
from gen.plan import Tree

_RANK = (Outcome.CLEAN, Outcome.NOT_RUN, Outcome.FINDINGS, Outcome.UNSUPPORTED, Outcome.FAILED)

INTERRUPTED = "the script was interrupted"


class Values(StrEnum):
    """What the file's own check says about the numbers."""

    RIGHT = "right"
    WRONG = "wrong"
    UNCHECKED = "unchecked"
    """The script came to its end and compares nothing."""
    NOT_REACHED = "not reached"
    """It did not come to its check."""


@dataclass(frozen=True)
class Call:
    """One call of a kernel: which, how it is judged, and how often it was called alike (same numbers in)."""

    name: str
    verdict: FileVerdict
    times: int = 1


@dataclass(frozen=True)
class Ran:
    """What running a script showed.

    `said` is what the script's check said, its last words otherwise; `problem` is why it did not come to its check;
    `printed` is the end of what it printed.
    """

    calls: tuple[Call, ...] = ()
    values: Values = Values.NOT_REACHED
    said: str = ""
    problem: str = ""
    printed: str = ""
    skipped: bool = False
    """The script ended by itself and called no kernel: it does not run on this chip."""
    has_check: bool = True
    """Whether the script compares numbers at all, as its text shows."""
    interrupted: bool = False
    """Whether somebody stopped it: `calls` are those that had come to their end."""


@dataclass(frozen=True, kw_only=True)
class ScriptVerdict(Ran):
    """A file with its own script."""

    path: str
    tree: Tree
    seconds: float = 0.0

    @property
    def outcome(self) -> Outcome:
        """The worst of all calls; a script that stopped before its check is never clean."""
        if self.skipped:
            return Outcome.NOT_RUN
        lacking = self.problem.startswith("unsupported: ")
        unfinished = Outcome.UNSUPPORTED if lacking else Outcome.FAILED
        unfinished = Outcome.NOT_RUN if self.interrupted else unfinished
        worst = max((c.verdict.outcome for c in self.calls), key=_RANK.index, default=unfinished)
        stopped = self.values in (Values.NOT_REACHED, Values.WRONG)
        return unfinished if stopped and worst is Outcome.CLEAN else worst

    @property
    def clean(self) -> bool:
        """No finding in any call, and no number that the script calls wrong."""
        return self.outcome is Outcome.CLEAN


def run_script(
    path: Path,
    options: RunOptions | None = None,
    arguments: Iterable[str] = (),
    progress: Progress = lambda _: None,
) -> ScriptVerdict:
    """Runs the file with its own script. `arguments` are for the script's command line.

    Raises GenError as `gen.check.foreign.run_file` does.
    """
    options, start = options or RunOptions(), time.perf_counter()
    file, lines = file_of(path, options)
    if file.tree is Tree.ASCENDC:
        from gen.check.foreign.sample import run as run_sample

        found = run_sample(file, lines, options, progress)
    else:
        from gen.check.foreign.python_script import run as run_python

        found = run_python(file, options, tuple(arguments), progress)
    seconds = time.perf_counter() - start
    return ScriptVerdict(**vars(found), path=str(path), tree=file.tree, seconds=seconds)
