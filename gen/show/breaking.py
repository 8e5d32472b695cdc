"""A kernel broken on purpose: the line, what the model finds, the numbers that went wrong."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from gen.check.places import Place
from gen.plan import Form
from gen.score.breaking import Broken
from gen.score.mutants import Mutant
from gen.score.mutation import Case, Difference
from gen.show.diff import TITLES
from gen.show.fault import fault_json, faults_lines

WHAT = {
    "delete": "the statement is missing",
    "move": "the statement stands elsewhere",
    "swap": "two statements have changed places",
    "retarget": "it names another pipe, or another call",
    "id": "it takes the next id",
    "stages": "it counts on fewer slots than the rest",
    "shrink": "the buffer is too small",
}


def show(broken: Broken, console: Console) -> None:
    """Prints one mutant."""
    for line in _lines(broken, console.width):
        console.print(line, highlight=False, soft_wrap=True)


def show_list(spec: str, form: Form, mutants: list[Mutant], console: Console) -> None:
    """Prints what could be broken."""
    title = f"{spec}, {TITLES[form]}: {len(mutants)} mutants"
    table = Table(title=title, title_justify="left", expand=True)
    for name in ("number", "operator", "line"):
        table.add_column(name, justify="left" if name == "operator" else "right", no_wrap=True)
    for name in ("statement", "becomes"):
        table.add_column(name, ratio=1, no_wrap=True, overflow="ellipsis")
    for m in mutants:
        row = (str(m.number), str(m.operator), str(m.line), m.before, m.after)
        table.add_row(*map(escape, row))
    console.print(table)


def _lines(broken: Broken, width: int) -> Iterator[str]:
    mutant = broken.case.mutant
    head = f"{broken.spec}, {TITLES[broken.form]}: mutant {mutant.number} of {broken.mutants}"
    yield f"[bold]{escape(head)}[/]  {mutant.operator}: {WHAT[mutant.operator]}"
    yield from _change(broken.place, mutant)
    yield from faults_lines("", broken.faults, width)
    if not broken.faults:
        yield f"  {broken.case.fate}: {escape(broken.case.reason)}"
    if broken.case.difference and not broken.case.halted:
        yield f"  numbers: {escape(_numbers(broken.case.difference))}"


def _change(place: Place, mutant: Mutant) -> Iterator[str]:
    own = place.origin or place
    step = f"  (step {own.step})" if own.step else ""
    yield f"  {escape(f'--> {own.file}:{own.line}{step}')}"
    if place.origin:
        yield f"      [dim]|[/] {escape(place.origin.text.strip())}"
        yield f"      [dim]emitted: {escape(f'{place.file}:{place.line}')}[/]"
    yield f"      [red]- {escape(mutant.before)}[/]"
    if mutant.after:
        yield f"      [green]+ {escape(mutant.after)}[/]"


def _numbers(difference: Difference) -> str:
    where = f"{difference.output}[{', '.join(map(str, difference.index))}]"
    many = f"{difference.count} element{'s' * (difference.count != 1)} differ"
    return f"{where} = {difference.found:g} instead of {difference.expected:g}; {many}"


def to_json(broken: Broken) -> dict[str, Any]:
    """One mutant as plain data."""
    return {
        "spec": broken.spec,
        "tree": str(broken.form),
        "mutants": broken.mutants,
        "mutant": mutant_json(broken.case.mutant),
        "place": asdict(broken.place),
        "findings": [fault_json(f) for f in broken.faults],
        **_case_json(broken.case),
    }


def mutant_json(mutant: Mutant) -> dict[str, Any]:
    """A mutant as plain data."""
    return {**asdict(mutant), "operator": str(mutant.operator)}


def _case_json(case: Case) -> dict[str, Any]:
    return {
        "fate": str(case.fate),
        "reason": case.reason,
        "difference": asdict(case.difference) if case.difference else None,
    }
