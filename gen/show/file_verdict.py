"""The verdict on one kernel file, in the terminal and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rich.console import Console
from rich.markup import escape

from gen.check import Outcome, profiles
from gen.check.foreign import FileVerdict
from gen.compile.a_tree.interpreter import FRONT_END
from gen.errors import render
from gen.plan import Tree
from gen.show.diff import TITLES
from gen.show.fault import deep_json, deep_lines, fault_json, faults_lines
from gen.show.verdict import OUTCOME_STYLE

PARTNERS = " = "
"""In the name of the front end where two were held against each other."""
DIGITS = 16
"""Characters of a digest that people see."""
PRINTED_LINES = 200
"""Most lines that are shown of what a kernel prints."""


def show(verdict: FileVerdict, console: Console, *, notes: bool = False) -> None:
    """Prints what the file is, the verdict, and everything that leads to it; `notes`: the notes in full."""
    for line in (*lines(verdict, console.width, notes=notes), *_values(verdict)):
        console.print(line, highlight=False, soft_wrap=True)


def _values(verdict: FileVerdict) -> Iterator[str]:
    """That a clean kernel is not one that computes what it should."""
    if verdict.outcome is Outcome.CLEAN:
        both = (
            ", except by the two front ends with each other"
            if PARTNERS in verdict.front_end
            else ""
        )
        yield f"  values: not compared with anything{both} (--script and --expect compare)"


def lines(verdict: FileVerdict, width: int, *, notes: bool = False) -> Iterator[str]:
    """The verdict as marked-up lines for `width` columns."""
    style = OUTCOME_STYLE[verdict.outcome]
    yield f"{escape(verdict.path)}: [{style}]{_outcome(verdict)}[/]"
    what = f"{TITLES[verdict.tree]} for {verdict.chip}"
    yield f"  {escape(what + _front_end(verdict.front_end))}"
    profile = profiles.text(verdict.profile).replace(",", ", ")
    yield f"  [dim]judged for {profile}[/]"
    told = [f"  {escape(render(d))}" for d in verdict.diagnostics]
    if not told and verdict.reason and verdict.outcome is not Outcome.UNSUPPORTED:
        told = [f"  {escape(verdict.reason)}"]
    found = faults_lines("", verdict.faults, width, notes=notes)
    # Who knows the line speaks first.
    placeless = verdict.diagnostics and not any(d.line for d in verdict.diagnostics)
    yield from (*found, *told) if placeless else (*told, *found)
    yield from (f"  [dim]host: {escape(said)}[/]" for said in verdict.host)
    yield from deep_lines(verdict.deep)
    yield from _printed(verdict)
    if verdict.counts:
        instructions = sum(n for names in verdict.counts.values() for n in names.values())
        yield f"  {instructions:,} instructions, {verdict.cycles or 0:,} modelled cycles"
    for output in verdict.outputs:
        kind = f"{output.dtype or 'bytes'}[{','.join(map(str, output.shape))}]"
        yield f"  output {escape(output.name)}: {escape(kind)}, sha256 {output.digest[:DIGITS]}"


def _front_end(name: str) -> str:
    if name == FRONT_END:
        return ", interpreted"
    return f", compiled by {name}" if name else ""


def _printed(verdict: FileVerdict) -> Iterator[str]:
    """What kernels of the A tree print while they run (T.printf, T.dump_tensor)."""
    if verdict.tree is not Tree.A:
        return
    said = verdict.printed.splitlines()
    yield from (f"  | {escape(line)}" for line in said[:PRINTED_LINES])
    if len(said) > PRINTED_LINES:
        yield f"  | … and {len(said) - PRINTED_LINES:,} lines more"


def _outcome(verdict: FileVerdict) -> str:
    if verdict.outcome is Outcome.FINDINGS:
        found = len(verdict.errors)
        return f"{found} finding{'s' * (found != 1)}"
    if verdict.outcome is Outcome.UNSUPPORTED:
        return escape(f"unsupported: {verdict.reason}")
    return str(verdict.outcome)


def to_json(verdict: FileVerdict) -> dict[str, Any]:
    """The whole verdict as plain data."""
    return {
        "path": verdict.path,
        "tree": str(verdict.tree),
        "chip": verdict.chip,
        "outcome": str(verdict.outcome),
        "clean": verdict.outcome is Outcome.CLEAN,
        "rejected": verdict.rejected,
        "reason": verdict.reason,
        "diagnostics": [d.to_json() for d in verdict.diagnostics],
        "front_end": verdict.front_end,
        "profile": profiles.words(verdict.profile),
        "findings": [fault_json(f) for f in verdict.faults],
        "host": list(verdict.host),
        "printed": verdict.printed,
        "outputs": [
            {"name": o.name, "dtype": o.dtype, "shape": list(o.shape), "sha256": o.digest}
            for o in verdict.outputs
        ],
        "counts": {pipe: dict(names) for pipe, names in verdict.counts.items()},
        "modelled_cycles": verdict.cycles,
        "seconds": dict(verdict.seconds),
        "deep": deep_json(verdict.deep),
    }
