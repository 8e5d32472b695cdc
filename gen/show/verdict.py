"""Verdicts in the terminal: one table per spec, then every finding with the lines that it is about."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from gen.check import Outcome, SpecVerdict, TreeVerdict
from gen.errors import render
from gen.show.diff import TITLES
from gen.show.fault import deep_json, deep_lines, fault_json, faults_lines, wrapped

COLUMNS = ("tree", "chip", "front end", "level", "verdict", "values", "instructions", "cycles")
"""Cycles are modelled; `values` is how close the outputs are to what the spec means."""
WIDE_ONLY = ("front end", "instructions", "cycles")
NARROW = 110

OUTCOME_STYLE = {
    Outcome.CLEAN: "green",
    Outcome.FINDINGS: "bold red",
    Outcome.UNSUPPORTED: "yellow",
    Outcome.FAILED: "bold red",
    Outcome.NOT_RUN: "yellow",
}


def show(verdict: SpecVerdict, console: Console, *, notes: bool = False) -> None:
    """Prints the table of one spec and everything that is not clean; `notes` says whether notes are shown in full."""
    columns = [c for c in COLUMNS if console.width >= NARROW or c not in WIDE_ONLY]
    table = Table(title=f"{verdict.path}  ({verdict.name})", title_justify="left", expand=False)
    for column in columns:
        right = column in ("instructions", "cycles")
        table.add_column(column, justify="right" if right else "left", no_wrap=column != "values")
    for tree in verdict.trees:
        row = _row(tree)
        table.add_row(*(row[c] for c in columns))
    console.print(table)
    if agreement := _agreement(verdict):
        console.print(agreement, highlight=False)
    if profiles := _profiles(verdict):
        console.print(profiles, highlight=False, style="dim")
    for tree in verdict.trees:
        for line in _details(tree, console.width, notes=notes):
            console.print(line, highlight=False, soft_wrap=True)


def _row(tree: TreeVerdict) -> dict[str, str]:
    instructions = sum(n for names in tree.counts.values() for n in names.values())
    return {
        "tree": TITLES[tree.tree],
        "chip": tree.chip,
        "front end": tree.front_end or "-",
        "level": str(tree.level),
        "verdict": f"[{OUTCOME_STYLE[tree.outcome]}]{_outcome(tree)}[/]",
        "values": _accuracy(tree) or "-",
        "instructions": f"{instructions:,}" if tree.counts else "-",
        "cycles": f"{tree.cycles:,}" if tree.cycles is not None else "-",
    }


def _outcome(tree: TreeVerdict) -> str:
    if tree.outcome is Outcome.FINDINGS:
        wrong = sum(1 for a in tree.accuracy.values() if a.mismatch)
        found = sum(1 for f in tree.faults if f.severity == "error")
        parts = [f"{found} finding{'s' * (found != 1)}"] if found else []
        parts += ["wrong values"] if wrong else []
        return ", ".join(parts)
    return str(tree.outcome)


def _accuracy(tree: TreeVerdict) -> str:
    parts = []
    for name, a in tree.accuracy.items():
        if a.mismatch:
            parts.append(f"{name}: wrong")
        elif a.max_ulp == 0:
            parts.append(f"{name}: bit for bit")
        else:
            parts.append(f"{name}: within its bound")
    return ", ".join(parts)


def _agreement(verdict: SpecVerdict) -> str:
    if not verdict.pairs:
        return ""
    if broken := [p for p in verdict.pairs if p.mismatch]:
        return "\n".join(
            f"[bold red]{TITLES[p.left]} and {TITLES[p.right]} disagree:[/] {escape(str(p.mismatch))}"
            for p in broken
        )
    worst = max(p.max_ulp for p in verdict.pairs)
    count = len({t for p in verdict.pairs for t in (p.left, p.right)})
    how = "bit for bit" if worst == 0 else f"within {worst:.3g} ulp"
    return f"  the {count} outputs agree {how}"


def _profiles(verdict: SpecVerdict) -> str:
    """What the verdicts depend on beside the kernels."""
    found = {t.profile for t in verdict.trees if t.profile}
    shown = sorted(p.replace(",", ", ") for p in found)
    return f"  judged for {'; '.join(shown)}" if shown else ""


def _details(tree: TreeVerdict, width: int, *, notes: bool) -> Iterator[str]:
    title = TITLES[tree.tree]
    if tree.diagnostics:
        for diagnostic in tree.diagnostics:
            yield f"  {title}: {escape(render(diagnostic))}"
    elif tree.reason:
        yield f"  {title}: {escape(tree.reason)}"
    for accuracy in tree.accuracy.values():
        if accuracy.mismatch:
            first, *rest = map(
                escape, wrapped(f"  {title}: wrong values: {accuracy.mismatch}", width)
            )
            yield first.replace("wrong values", "[bold red]wrong values[/]", 1)
            yield from rest
    yield from faults_lines(f"{title}: ", tree.faults, width, notes=notes)
    yield from (f"  {title}:{line[1:]}" for line in deep_lines(tree.deep))


def to_json(verdict: SpecVerdict) -> dict[str, Any]:
    """The whole verdict as plain data."""
    return {
        "name": verdict.name,
        "path": verdict.path,
        "clean": verdict.clean,
        "complete": verdict.complete,
        "trees": [_tree_json(t) for t in verdict.trees],
        "pairs": [
            {
                "left": p.left,
                "right": p.right,
                "max_ulp": _finite(p.max_ulp),
                "mismatch": str(p.mismatch) if p.mismatch else None,
            }
            for p in verdict.pairs
        ],
    }


def _finite(x: float) -> float | None:
    """JSON has no infinity."""
    return x if math.isfinite(x) else None


def _tree_json(tree: TreeVerdict) -> dict[str, Any]:
    return {
        "tree": tree.tree,
        "chip": tree.chip,
        "level": str(tree.level),
        "outcome": str(tree.outcome),
        "reason": tree.reason,
        "diagnostics": [d.to_json() for d in tree.diagnostics],
        "front_end": tree.front_end,
        "profile": tree.profile,
        "findings": [fault_json(f) for f in tree.faults],
        "accuracy": {
            name: {
                "max_ulp": _finite(a.max_ulp),
                "of_bound": _finite(a.of_bound),
                "exact": a.exact,
                "mismatch": str(a.mismatch) if a.mismatch else None,
            }
            for name, a in tree.accuracy.items()
        },
        "counts": tree.counts,
        "modelled_cycles": tree.cycles,
        "seconds": tree.seconds,
        "deep": deep_json(tree.deep),
    }
