"""A rendering with the files that somebody has changed by hand since it was written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from difflib import SequenceMatcher
from itertools import groupby
from pathlib import Path

from gen.errors import Diagnostic, GenError
from gen.render.rendering import RenderedFile, Rendering, StepSpan


def edited(rendering: Rendering, out: Path, trees: tuple[str, ...]) -> Rendering:
    """`rendering` with the texts found below `out/<name>` for `trees`; steps follow their lines.

    Raises GenError for every file that is missing or not text.
    """
    files: list[RenderedFile] = []
    found: list[Diagnostic] = []
    for file in rendering.files:
        if file.tree not in trees:
            files.append(file)
            continue
        path = out / rendering.name / file.path
        try:
            files.append(_with_text(file, path.read_text(encoding="utf-8")))
        except (OSError, UnicodeDecodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "not UTF-8 text"
            help = f"write it with: gen render specs/{rendering.name}.yaml"
            found.append(Diagnostic("E101", f"cannot read it: {reason}", str(path), help=help))
    if found:
        raise GenError(found)
    return replace(rendering, files=tuple(files))


def _with_text(file: RenderedFile, text: str) -> RenderedFile:
    if text == file.text:
        return file
    return replace(file, text=text, steps=tuple(_steps(file, text)))


def _steps(file: RenderedFile, text: str) -> Iterator[StepSpan]:
    """A line that stayed keeps its steps; a new one has the steps of the line before it."""
    before, after = file.text.splitlines(), text.splitlines()
    held: list[tuple[str, ...]] = [()] * len(after)
    matcher = SequenceMatcher(a=before, b=after, autojunk=False)
    for old, new, size in matcher.get_matching_blocks():
        for i in range(size):
            held[new + i] = file.steps_at(old + i + 1)
    kept = {new + i for _, new, size in matcher.get_matching_blocks() for i in range(size)}
    for i in range(1, len(after)):
        if i not in kept:
            held[i] = held[i - 1]
    line = 1
    for steps, run in groupby(held):
        size = len(list(run))
        yield from (StepSpan(step, line, line + size - 1) for step in steps)
        line += size
