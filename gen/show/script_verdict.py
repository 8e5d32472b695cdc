"""The verdict of a file that was run with its own script: every call of a kernel, and what the script's check says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rich.console import Console
from rich.markup import escape

from gen.check.foreign.script import Call, ScriptVerdict, Values
from gen.show.file_verdict import lines as verdict_lines
from gen.show.file_verdict import to_json as verdict_json
from gen.show.verdict import OUTCOME_STYLE

VALUES_STYLE = {
    Values.RIGHT: "green",
    Values.WRONG: "red",
    Values.UNCHECKED: "yellow",
    Values.NOT_REACHED: "yellow",
}


def show_script(
    verdict: ScriptVerdict, console: Console, *, notes: bool = False, comparison: bool = False
) -> None:
    """Prints each call with its findings, then the script's own comparison; `comparison`: its output in full."""
    for line in lines(verdict, console.width, notes=notes, comparison=comparison):
        console.print(line, highlight=False, soft_wrap=True)


def lines(verdict: ScriptVerdict, width: int, *, notes: bool, comparison: bool) -> Iterator[str]:
    """The verdict as marked-up lines for `width` columns."""
    for call in verdict.calls:
        yield f"[bold]{escape(call.name)}[/]{_times(call)}"
        yield from verdict_lines(call.verdict, width, notes=notes)
    style = OUTCOME_STYLE[verdict.outcome]
    yield f"{escape(verdict.path)}: [{style}]{verdict.outcome}[/], {_calls(verdict)}"
    yield f"  values: [{VALUES_STYLE[verdict.values]}]{_values(verdict)}[/]"
    if comparison:
        yield from (f"  | {escape(line)}" for line in verdict.printed.splitlines())
    elif verdict.said:
        yield f"  the script's last words: {escape(verdict.said)}"
    if verdict.problem:
        yield f"  {escape(verdict.problem)}"


def _times(call: Call) -> str:
    return f" (called {call.times} times with the same numbers)" if call.times > 1 else ""


def _calls(verdict: ScriptVerdict) -> str:
    """How many calls there were, and how many of them had numbers of their own."""
    made = sum(call.times for call in verdict.calls)
    if not made:
        return "no kernel was called"
    words = f"{made} kernel call{'s' * (made != 1)}"
    if made == len(verdict.calls):
        return words
    if len(verdict.calls) == 1:
        return f"{words}, all with the same numbers"
    return f"{words}, {len(verdict.calls)} of them different"


def _values(verdict: ScriptVerdict) -> str:
    if verdict.values is Values.NOT_REACHED:
        if verdict.interrupted:
            return "not known: interrupted"
        if not verdict.has_check:
            return "not known: the script stopped, and it compares nothing"
    return {
        Values.RIGHT: "right, as the script's own check says",
        Values.WRONG: "wrong, as the script's own check says",
        Values.UNCHECKED: "the script compares nothing",
        Values.NOT_REACHED: "the script did not come to its check",
    }[verdict.values]


def to_json(verdict: ScriptVerdict) -> dict[str, Any]:
    """The whole verdict as plain data."""
    return {
        "path": verdict.path,
        "tree": str(verdict.tree),
        "outcome": str(verdict.outcome),
        "clean": verdict.clean,
        "values": str(verdict.values),
        "has_check": verdict.has_check,
        "interrupted": verdict.interrupted,
        "said": verdict.said,
        "problem": verdict.problem,
        "printed": verdict.printed,
        "seconds": verdict.seconds,
        "calls": [
            {"name": c.name, "times": c.times, "verdict": verdict_json(c.verdict)}
            for c in verdict.calls
        ],
    }
