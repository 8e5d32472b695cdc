"""How scripts hold numbers against each other: the functions that they call for it, and the statements that stop them."""

from __future__ import annotations

import ast
import re

COMPARISONS: dict[str, tuple[str, ...]] = {
    "torch.testing": ("assert_close", "assert_allclose"),
    "torch": ("allclose", "equal"),
    "numpy.testing": (
        "assert_allclose",
        "assert_array_equal",
        "assert_almost_equal",
        "assert_equal",
    ),
    "numpy": ("allclose", "array_equal"),
}
"""By module. Those that give back whether numbers are equal stop nothing."""
TOLD_WRONG = re.compile(r"\b(?:FAIL(?:ED)?|[Mm]ismatch(?:ed)?)\b")
TOLD_RIGHT = re.compile(r"\b(?:PASS(?:ED)?|passed)\b")
"""Words in what a script prints."""

_NAMES = frozenset(name for names in COMPARISONS.values() for name in names)


def stops(source: str) -> bool:
    """Whether the script has a statement that stops it when something is wrong."""
    return any(isinstance(node, ast.Assert | ast.Raise) for node in _nodes(source))


def has_check(source: str) -> bool:
    """Whether the script compares numbers, or says of itself that it has."""
    calls = any(
        (isinstance(node, ast.Attribute) and node.attr in _NAMES)
        or (isinstance(node, ast.Name) and node.id in _NAMES)
        for node in _nodes(source)
    )
    return calls or stops(source) or bool(TOLD_RIGHT.search(source))


def _nodes(source: str) -> list[ast.AST]:
    try:
        return list(ast.walk(ast.parse(source)))
    except (SyntaxError, ValueError):
        return []
