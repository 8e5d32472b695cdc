"""``gen check``: specs -> verdicts."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager

from rich.console import Console

from gen.cache import require_cache
from gen.check import Level, Options, SpecVerdict, check
from gen.cli.exits import Exit
from gen.cli.forms import require_asked
from gen.cli.guard import finished, print_json
from gen.cli.terminal import stdout_console
from gen.errors import Diagnostic, GenError
from gen.plan import plan
from gen.show.diff import TITLES
from gen.show.verdict import show, to_json
from gen.spec import Spec, load_all

Report = Callable[[str, str], None]

QUIET_SECONDS = 5.0

#: Levels in rising order.
_HEIGHT = {level: i for i, level in enumerate(Level)}


def check_specs(
    paths: Sequence[str],
    options: Options,
    require: Level | None,
    named: Collection[str] = (),
    *,
    notes: bool = False,
    as_json: bool,
) -> Exit:
    """Judges all specs and prints each verdict as soon as it is there; `named` are the forms that every spec must have.

    Findings when one is not clean, or a tree that can be rendered stays below ``require``. Nothing
    is run when one of the specs is wrong. An interrupt ends it: what was judged until then is printed.
    """
    specs = load_all(paths)
    for spec in specs:
        require_asked(spec, named)
    require_cache()
    _plan_all(specs)
    console = stdout_console()

    def judged() -> Iterator[SpecVerdict]:
        for spec in specs:
            with _progress(spec) as report:
                verdict = check(spec, options, report)
            if not as_json:
                show(verdict, console, notes=notes)
            yield verdict

    verdicts, interrupted = finished(judged())
    short = [line for verdict in verdicts for line in _below(verdict, require)]
    if as_json:
        content = {"verdicts": [to_json(v) for v in verdicts], "below_required": short}
        print_json(content | {"interrupted": interrupted})
    else:
        for line in short:
            console.print(line, highlight=False, markup=False)
    if interrupted:
        return Exit.INTERRUPTED
    clean = all(v.clean for v in verdicts) and not short
    return Exit.CLEAN if clean else Exit.FINDINGS


def _plan_all(specs: Sequence[Spec]) -> None:
    """Raises GenError with the mistakes of all specs, before the first of them is run."""
    found: list[Diagnostic] = []
    for spec in specs:
        try:
            plan(spec)
        except GenError as error:
            found += error.diagnostics
    if found:
        raise GenError(found)


def _below(verdict: SpecVerdict, require: Level | None) -> Iterator[str]:
    if require is None:
        return
    for tree in verdict.trees:
        if _HEIGHT[tree.level] < _HEIGHT[require]:
            title = TITLES[tree.tree]
            yield f"{verdict.name}: {title} is {tree.level}, and {require} was required"


def _lines(spec: Spec) -> Report:
    """Progress for logs: a line now and then, and none for what is quick."""
    last = time.monotonic()

    def report(tree: str, what: str) -> None:
        nonlocal last
        if time.monotonic() - last >= QUIET_SECONDS:
            last = time.monotonic()
            print(f"{spec.name}: {TITLES[tree]}: {what}", file=sys.stderr, flush=True)

    return report


@contextmanager
def _progress(spec: Spec) -> Iterator[Report]:
    """What each tree does now, in one line on stderr; nothing where nobody watches."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield _lines(spec)
        return
    doing: dict[str, str] = {}
    with console.status(spec.name) as status:

        def report(tree: str, what: str) -> None:
            if what == "debugging":
                status.stop()
                return
            status.start()
            doing[tree] = what
            parts = [f"{TITLES[t]}: {doing[t]}" for t in TITLES if t in doing]
            status.update(f"{spec.name}  {' · '.join(parts)}")

        yield report
