"""Extents that only a call of a kernel knows: names, and what is computed from names."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping

_OPERATORS: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
_FUNCTIONS: dict[str, Callable[[int, int], int]] = {"min": min, "max": max}


def extent_of(extent: int | str, extents: Mapping[str, int]) -> int | None:
    """A number, a name, or what is computed from names (`N // 2`, `T.min(M, 8)`); None where a name is not known."""
    if isinstance(extent, int):
        return extent
    if extent in extents:
        return extents[extent]
    try:
        return _value(ast.parse(extent, mode="eval").body, extents)
    except (SyntaxError, ZeroDivisionError):
        return None


def names_of(extent: int | str) -> list[str]:
    """The names that it is computed from."""
    if isinstance(extent, int):
        return []
    try:
        tree = ast.parse(extent, mode="eval")
    except SyntaxError:
        return [extent]
    called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    modules = {id(n.value) for n in ast.walk(tree) if isinstance(n, ast.Attribute)}
    return [
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and id(node) not in called | modules
    ]


def _value(node: ast.expr, extents: Mapping[str, int]) -> int | None:
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, int) else None
    if isinstance(node, ast.Name):
        return extents.get(node.id)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        value = _value(node.operand, extents)
        return None if value is None else -value
    if isinstance(node, ast.BinOp):
        return _applied(_OPERATORS.get(type(node.op)), [node.left, node.right], extents)
    if isinstance(node, ast.Call):
        name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        name = node.func.id if isinstance(node.func, ast.Name) else name
        return _applied(_FUNCTIONS.get(name), node.args, extents)
    return None


def _applied(
    function: Callable[[int, int], int] | None, nodes: list[ast.expr], extents: Mapping[str, int]
) -> int | None:
    values = [_value(node, extents) for node in nodes]
    if function is None or len(values) != 2 or values[0] is None or values[1] is None:
        return None
    return function(values[0], values[1])
