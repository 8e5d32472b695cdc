"""From a line of a finding to the statement that it belongs to: where something can be written before and behind it."""

from __future__ import annotations

import ast
from functools import lru_cache

_VECTOR_FUNCTIONS = ("SimtVF", "SimdVF")
"""Blocks of the M tree that are one instruction: nothing can be synchronised inside."""


def statement(text: str, line: int, *, python: bool) -> tuple[int, int]:
    """First and last line of the statement at `line`, all counted from 1."""
    return _python(text, line) if python else _cpp(text, line)


def _cpp(text: str, line: int) -> tuple[int, int]:
    """A call ends at its semicolon."""
    lines = text.split("\n")
    depth = 0
    for number in range(line, len(lines) + 1):
        code = lines[number - 1].partition("//")[0]
        depth += code.count("(") - code.count(")")
        if depth <= 0 and code.rstrip().endswith((";", "{", "}")):
            return line, number
    return line, line


def _python(text: str, line: int) -> tuple[int, int]:
    """A statement in brackets ends with them; a vector function is one statement with all its lines."""
    found = (line, line)
    for node in _statements(text):
        last = node.end_lineno or node.lineno
        if not node.lineno <= line <= last:
            continue
        if isinstance(node, ast.With) and any(
            w in ast.dump(node.items[0]) for w in _VECTOR_FUNCTIONS
        ):
            return node.lineno, last
        if not isinstance(node, ast.With | ast.For | ast.While | ast.If | ast.FunctionDef):
            found = (node.lineno, last)
    return found


@lru_cache(maxsize=8)
def _statements(text: str) -> tuple[ast.stmt, ...]:
    """All statements, the outer ones first; none where the text is no Python."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return ()
    return tuple(node for node in ast.walk(tree) if isinstance(node, ast.stmt))
