"""Device source with the synchronisation that the compiler inserted, and the IR pass by pass.

The signs stand in the text itself, so that they are there without colours too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from difflib import unified_diff
from typing import Any

from rich.console import Console
from rich.text import Text

from gen.check.lowered import LoweredKernel
from gen.compile.listing import Line
from gen.compile.passes import Change
from gen.show.diff import TITLES

SIGN = "+"
"""In the margin of a line that the compiler inserted."""
CONTEXT = 2
_DIFF_STYLES = {"+": "green", "-": "red", "@": "cyan"}
_PLURAL = {"wait": "waits", "set": "sets", "barrier": "barriers", "lock": "locks"}
_PLURAL |= {"unlock": "unlocks", "threads": "thread barriers"}


def show(kernel: LoweredKernel, console: Console, *, full: bool = False) -> None:
    """Prints the passes, if there are any, and the device source; `full`: each IR whole, not only what changed."""
    for number, change in enumerate(kernel.passes, 1):
        _print(console, Text(f"pass {number}: {change[0]}", style="bold"))
        for line in _whole(change) if full else _changed(change):
            _print(console, line)
        _print(console, Text())
    for line in lines(kernel):
        _print(console, line)


def _print(console: Console, line: Text) -> None:
    console.print(line, highlight=False, soft_wrap=True)


def lines(kernel: LoweredKernel) -> Iterator[Text]:
    """A head, then each line: its number, the kernel's line that it comes from, the sign, and the text.

    An inserted line is followed by the statement that it guards.
    """
    for text in _head(kernel):
        yield Text(text, style="bold")
    width = len(str(len(kernel.lines)))
    origins = max((len(str(max(x.origin, x.guards))) for x in kernel.lines), default=1)
    ends = max((len(x.text) for x in kernel.lines if x.inserted), default=0)
    for line in kernel.lines:
        origin = str(line.origin) if line.origin else ""
        shown = Text(f"{line.number:>{width}} {origin:>{origins}} ", style="dim")
        if not line.inserted:
            shown.append(f"  {line.text}", style="not dim")
            shown.rstrip()
            yield shown
            continue
        shown.append(f"{SIGN} ", style="not dim bold green")
        shown.append(f"{line.text:<{ends}}", style="not dim green")
        yield shown.append(f"  <- {_guarded(kernel, line)}", style="not dim cyan")


def _head(kernel: LoweredKernel) -> Iterator[str]:
    yield (
        f"{kernel.path}: {kernel.function}, {TITLES[kernel.tree]} for {kernel.chip.name},"
        f" lowered by {kernel.front_end}"
    )
    found = Counter(str(x.sync.kind) for x in kernel.lines if x.inserted and x.sync)
    if not found:
        yield "the compiler inserted no synchronisation"
        return
    parts = [f"{n} {word if n == 1 else _PLURAL[word]}" for word, n in found.items()]
    yield f"{SIGN} marks what the compiler inserted: {', '.join(parts)}"


def _guarded(kernel: LoweredKernel, line: Line) -> str:
    if not line.guards:
        return "no statement is known"
    return f"{kernel.path}:{line.guards}: {kernel.statement(line.guards)}"


def _changed(change: Change) -> Iterator[Text]:
    _, before, after = change
    made = unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=CONTEXT)
    for number, text in enumerate(made):
        if number > 1:  # the names of the two sides
            yield Text(text, style=_DIFF_STYLES.get(text[:1], ""))


def _whole(change: Change) -> Iterator[Text]:
    for text in change[2].splitlines():
        yield Text(text)


def to_json(kernel: LoweredKernel, *, full: bool = False) -> dict[str, Any]:
    """Everything that `show` prints; without passes there is no list of them."""
    content: dict[str, Any] = {
        "path": kernel.path,
        "tree": str(kernel.tree),
        "chip": kernel.chip.name,
        "front_end": kernel.front_end,
        "function": kernel.function,
        "lines": [_line_json(kernel, line) for line in kernel.lines],
    }
    if kernel.passes:
        content["passes"] = [_pass_json(change, full) for change in kernel.passes]
    return content


def _line_json(kernel: LoweredKernel, line: Line) -> dict[str, Any]:
    found: dict[str, Any] = {"line": line.number, "text": line.text}
    if line.origin:
        found["from"] = line.origin
    if line.sync:
        found["sync"] = str(line.sync.kind)
        found["inserted"] = line.inserted
    if line.guards:
        found["guards"] = {
            "file": kernel.path,
            "line": line.guards,
            "text": kernel.statement(line.guards),
        }
    return found


def _pass_json(change: Change, full: bool) -> dict[str, Any]:
    if full:
        return {"name": change[0], "before": change[1], "after": change[2]}
    return {"name": change[0], "diff": [line.plain for line in _changed(change)]}
