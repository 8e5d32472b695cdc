"""Marked statements: `// @fill` or `# @fill` at the end of a line."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TypeAlias

from gen.compile.cpp_text import blank

Markers: TypeAlias = Mapping[str, tuple[range, ...]]
"""Mark -> the lines of each statement that bears it, counted from 1; the mark stands on the last line of the range."""

_MARKED = re.compile(r"(?://|#)\s*(?P<marks>(?:@\w+\s*)+)")


def markers(path: Path, text: str) -> Markers:
    """The marks of a file. A statement over several lines is marked wherever the comment stands in it."""
    lines = text.splitlines()
    starts = _python_starts(text) if path.suffix == ".py" else _cpp_starts(text)
    found: dict[str, list[range]] = {}
    for number, line in enumerate(lines, 1):
        match = _MARKED.search(line)
        if match is None or line.lstrip().startswith(("#", "//")):
            continue
        for mark in re.findall(r"@(\w+)", match["marks"]):
            found.setdefault(mark, []).append(range(starts[number], number + 1))
    return {mark: tuple(spans) for mark, spans in found.items()}


def _python_starts(text: str) -> dict[int, int]:
    """Line -> first line of the simple statement that it lies in."""
    starts = {number: number for number in range(1, text.count("\n") + 2)}
    try:
        module = ast.parse(text)
    except (SyntaxError, ValueError):
        return starts
    for node in ast.walk(module):
        if isinstance(node, ast.stmt) and not hasattr(node, "body"):
            starts |= dict.fromkeys(range(node.lineno, (node.end_lineno or 0) + 1), node.lineno)
    return starts


def _cpp_starts(text: str) -> dict[int, int]:
    """Line -> first line of its statement: the line after one that ends with `;`, a brace, a colon, or is empty."""
    starts: dict[int, int] = {}
    start = 1
    for number, line in enumerate(blank(text).split("\n"), 1):
        code = line.strip()
        starts[number] = start
        if not code or code.endswith((";", "{", "}", ":")) or code.startswith("#"):
            start = number + 1
    return starts
