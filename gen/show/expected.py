"""Verdicts beside what the kernel file expects."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rich.console import Console
from rich.markup import escape

from gen.score.corpus import CaseResult
from gen.show.file_verdict import lines, to_json


def show_results(results: Sequence[CaseResult], console: Console) -> None:
    """A line for each profile; what differs, and the whole verdict with it."""
    for result in results:
        for line in _result(result, console.width):
            console.print(line, highlight=False, soft_wrap=True)


def _result(result: CaseResult, width: int) -> Iterator[str]:
    where = f"{escape(str(result.file.path))} ({result.key})"
    if not result.differences:
        wanted = escape(result.expectation.line.value)
        yield f"[green]as expected[/]  {where}: {wanted}"
        return
    yield f"[bold red]differs[/]      {where}: line {result.expectation.line.line} expects" + escape(
        f" {result.expectation.line.value}"
    )
    for difference in result.differences:
        yield f"  [red]{escape(difference)}[/]"
    for line in lines(result.verdict, width, notes=True):
        yield f"    {line}"


def result_json(result: CaseResult) -> dict[str, Any]:
    """One profile as plain data."""
    return {
        "profile": str(result.key),
        "expected": result.expectation.line.value,
        "as_expected": not result.differences,
        "differences": list(result.differences),
        "verdict": to_json(result.verdict),
    }
