"""``gen scorecard``: how often the judge is right on a corpus."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from gen.cache import require_cache, write_atomically
from gen.cli.exits import Exit
from gen.cli.guard import print_json
from gen.cli.terminal import stdout_console
from gen.errors import Diagnostic, GenError
from gen.score.kills import SAMPLE, judge_mutants, rendered, sampled
from gen.score.scorecard import Report, Scorecard, clean_kernels, score
from gen.show.scorecard import document, show, to_json, with_table

DOCUMENT = Path("docs/scorecard.md")
README = Path("README.md")
QUIET_SECONDS = 5.0


@dataclass(frozen=True)
class MutantOptions:
    """Which mutants are judged: none, those of `sample` clean kernels of each tree, or (None) of all of them."""

    wanted: bool = True
    sample: int | None = SAMPLE
    specs: Path = Path("specs")
    """Folder of the specs whose renderings are mutated too."""


def mutant_options(text: str) -> MutantOptions:
    """Of `all` kernels, of `none`, or of how many of each tree. Raises GenError (E140)."""
    if text in ("all", "none"):
        return MutantOptions(wanted=text == "all", sample=None)
    if not text.isdecimal():
        message = f"`{text}` is not a number of kernels"
        raise GenError(
            [Diagnostic("E140", message, "--mutants", help="write a number, all or none")]
        )
    return MutantOptions(wanted=int(text) > 0, sample=int(text))


def print_scorecard(corpus: Path, mutants: MutantOptions, *, write: bool, as_json: bool) -> Exit:
    """Judges the corpus and prints the score; Findings where a kernel is not judged as it says.

    `write`: `docs/scorecard.md` and the table of the README are written, below the current folder.
    """
    require_cache()
    with _resumable(), _progress() as report:
        card = score(corpus, report)
        if mutants.wanted:
            chosen = sampled(clean_kernels(card), mutants.sample)
            subjects = [*rendered(mutants.specs.glob("*.yaml")), *chosen]
            card = replace(card, kills=judge_mutants(subjects, report))
    if as_json:
        print_json(to_json(card))
    else:
        show(card, stdout_console())
    if write:
        _write(card, corpus)
    return Exit.FINDINGS if card.differing() else Exit.CLEAN


def _write(card: Scorecard, corpus: Path) -> None:
    try:
        readme = with_table(README.read_text("utf-8"), card)
        write_atomically(DOCUMENT, document(card, corpus).encode())
        write_atomically(README, readme.encode())
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        help = "run it in the project's folder"
        message = f"the scorecard cannot be written: {reason}"
        raise GenError([Diagnostic("E302", message, str(README), help=help)]) from None


@contextmanager
def _resumable() -> Iterator[None]:
    """Every verdict is in the cache as soon as it is known."""
    try:
        yield
    except KeyboardInterrupt:
        print("what is judged is kept: the same command goes on from here", file=sys.stderr)
        raise


@contextmanager
def _progress() -> Iterator[Report]:
    """A bar on stderr; for logs a line now and then."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield _lines()
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("judging", total=None)

        def report(what: str, done: int, of: int) -> None:
            bar.update(task, description=what, completed=done, total=of)

        yield report


def _lines() -> Report:
    last = time.monotonic()

    def report(what: str, done: int, of: int) -> None:
        nonlocal last
        if time.monotonic() - last >= QUIET_SECONDS:
            last = time.monotonic()
            print(f"{done} of {of}: {what}", file=sys.stderr, flush=True)

    return report
