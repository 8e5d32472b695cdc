"""The trees side by side, aligned by step: what each of them says where the others say something else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.syntax import Syntax
from rich.table import Table
from rich.text import Text

from gen.render import STEPS, RenderedFile, Rendering

TITLES = {
    "a_tree": "A tree",
    "a_tree_auto": "A tree, auto",
    "m_tree": "M tree",
    "m_tree_manual": "M tree, manual",
    "ascendc": "Ascend C",
}
COLUMN = 44
"""Terminal columns that a column of code needs: fewer would hold fewer than 40 characters."""
_FIRST = ("a_tree", "ascendc", "m_tree", "m_tree_manual", "a_tree_auto")
"""What is shown where not everything has room."""
THEME = "ansi_dark"


@dataclass(frozen=True)
class Block:
    """Consecutive lines of one step; `first` counts from 1."""

    step: str
    first: int
    lines: tuple[str, ...]


def blocks(file: RenderedFile) -> Iterator[Block]:
    """The runs of lines that belong to one step (the innermost), in the order of the file; blank ends are dropped."""
    run: list[str] = []
    current, first = "", 1
    for number, line in enumerate([*file.text.splitlines(), ""], start=1):
        steps = file.steps_at(number)
        step = steps[-1] if steps else ""
        if step != current:
            if current:
                yield from _trimmed(current, first, run)
            run, current, first = [], step, number
        run.append(line)
    if current:
        yield from _trimmed(current, first, run)


def _trimmed(step: str, first: int, lines: Sequence[str]) -> Iterator[Block]:
    start, end = 0, len(lines)
    while start < end and not lines[start].strip():
        start += 1
    while end > start and not lines[end - 1].strip():
        end -= 1
    if start < end:
        yield Block(step, first + start, tuple(lines[start:end]))


KERNEL_STEPS = tuple(step for step in STEPS if step != "host")


def show(
    rendering: Rendering,
    trees: Sequence[str],
    console: Console,
    steps: Sequence[str] = KERNEL_STEPS,
) -> None:
    """Prints one row per step, one column per tree."""
    files = {t: f for t in trees if (f := rendering.kernel(t))}
    by_step = {t: _grouped(f) for t, f in files.items()}
    table = Table(title=rendering.name, expand=True, show_lines=True, pad_edge=False)
    table.add_column("step", style="bold", no_wrap=True, width=max(map(len, STEPS)))
    for tree in files:
        table.add_column(TITLES[tree], ratio=1, overflow="fold")
    for step in steps:
        if not any(step in g for g in by_step.values()):
            continue
        table.add_row(step, *(_cell(by_step[t].get(step, []), f.path) for t, f in files.items()))
    console.print(table)
    for tree, reason in rendering.refused.items():
        console.print(f"{TITLES[tree]}: not rendered: {reason}", highlight=False)


def visible_trees(rendering: Rendering, chosen: Sequence[str], width: int) -> tuple[str, ...]:
    """The chosen forms, or as many of those that were rendered as the terminal has room for, at least two."""
    rendered = tuple(t for t in TITLES if rendering.kernel(t))
    if chosen:
        return tuple(t for t in chosen if t in rendered)
    kept = [t for t in _FIRST if t in rendered][: max(2, width // COLUMN)]
    return tuple(t for t in rendered if t in kept)


def _grouped(file: RenderedFile) -> dict[str, list[Block]]:
    groups: dict[str, list[Block]] = {}
    for block in blocks(file):
        groups.setdefault(block.step, []).append(block)
    return groups


def _cell(parts: Sequence[Block], path: str) -> Text:
    """Blocks of one step under each other, each line with its number in the file."""
    lexer = "python" if path.endswith(".py") else "cpp"
    cell = Text()
    for i, block in enumerate(parts):
        if i:
            cell.append("    ⋮\n", style="dim")
        indent = min(len(line) - len(line.lstrip()) for line in block.lines if line.strip())
        code = "\n".join(line[indent:] for line in block.lines)
        highlighted = Syntax(code, lexer, theme=THEME).highlight(code)
        highlighted.rstrip()
        for number, line in enumerate(highlighted.split("\n"), start=block.first):
            cell.append(f"{number:>3} ", style="dim")
            cell.append_text(line)
            cell.append("\n")
    cell.rstrip()
    return cell


def to_json(rendering: Rendering) -> dict[str, object]:
    """Steps and their lines by tree, for editors and web pages."""
    return {
        "name": rendering.name,
        "refused": dict(rendering.refused),
        "steps": [
            {
                "step": step,
                "trees": {
                    t: [
                        {"first_line": b.first, "lines": list(b.lines)}
                        for b in groups.get(step, [])
                    ]
                    for t, groups in _all_groups(rendering).items()
                },
            }
            for step in STEPS
        ],
    }


def _all_groups(rendering: Rendering) -> dict[str, dict[str, list[Block]]]:
    return {t: _grouped(f) for t in TITLES if (f := rendering.kernel(t))}
