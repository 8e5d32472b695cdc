"""Which statement a message of the compiler is about, where it names operands and no line.

The compiler's passes know no source positions; their messages quote number formats, or the expression that they do not
take. In the text of the kernel that is usually one statement.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping

Span = tuple[int, int, int]
"""Line, column and length, counted from 1; zeros where nothing is known."""
NOWHERE: Span = (0, 0, 0)

_BY_FORMATS = (
    (re.compile(r"T\.copy\(\) from dtype '(\w+)' to dtype '(\w+)'"), "copy"),
    (re.compile(r"dual_copy: src dtype \((\w+)\) != dst dtype \((\w+)\)"), "dual_copy"),
    (re.compile(r"GEMM .*got A=(\w+), B=(\w+)"), "gemm"),
)
_EXPRESSION = re.compile(r"unsupported expr: (?P<text>.+)")
_MAKES_TENSOR = re.compile(r"alloc_\w+|Tensor|StridedTensor|empty")


def mentioned_statement(tree: ast.Module, message: str) -> Span:
    """The first statement that has what `message` quotes."""
    for pattern, call in _BY_FORMATS:
        if match := pattern.search(message):
            return next(_calls(tree, call, match.groups()), NOWHERE)
    if match := _EXPRESSION.search(message):
        return next(_assignments(tree, set(re.findall(r"(\w+)\[", match["text"]))), NOWHERE)
    return NOWHERE


def _calls(tree: ast.Module, name: str, formats: tuple[str, ...]) -> Iterator[Span]:
    """Calls of `T.<name>` whose first operands have these number formats."""
    known = dict(_formats(tree))
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == name:
            given = [known.get(_root(argument)) for argument in node.args[: len(formats)]]
            if given == list(formats):
                yield _span(node)


def _assignments(tree: ast.Module, buffers: set[str]) -> Iterator[Span]:
    """Assignments that read all of `buffers`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign | ast.AugAssign) and buffers:
            read = {_root(n) for n in ast.walk(node.value) if isinstance(n, ast.Subscript)}
            if buffers <= read:
                yield _span(node)


def _formats(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Number format by name of every tensor and buffer whose format is written where it is made."""
    constants = dict(_constants(tree))
    for node in ast.walk(tree):
        target: ast.expr
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            target, made = node.targets[0], node.value
        elif isinstance(node, ast.AnnAssign):
            target, made = node.target, node.annotation
        else:
            continue
        if not (isinstance(target, ast.Name) and isinstance(made, ast.Call) and len(made.args) > 1):
            continue
        if _MAKES_TENSOR.fullmatch(getattr(made.func, "attr", "")):
            yield target.id, _format(made.args[1], constants)


def _constants(tree: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            yield node.targets[0].id, node.value
        elif isinstance(node, ast.FunctionDef):
            defaults = node.args.defaults
            yield from zip([a.arg for a in node.args.args[::-1]], defaults[::-1], strict=False)


def _format(node: ast.expr, constants: Mapping[str, ast.expr]) -> str:
    """`float32` for T.float32, "float32", and a name that stands for one of them."""
    if isinstance(node, ast.Name):
        node = constants.get(node.id, node)
    if isinstance(node, ast.Constant):
        return str(node.value)
    return node.attr if isinstance(node, ast.Attribute) else ""


def _root(node: ast.expr) -> str:
    while isinstance(node, ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _span(node: ast.stmt | ast.expr) -> Span:
    last = node.end_col_offset or 0
    same = node.end_lineno == node.lineno
    return node.lineno, node.col_offset + 1, last - node.col_offset if same else 0
