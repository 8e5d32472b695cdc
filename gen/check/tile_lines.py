"""What the lines of a TileLang kernel say: their loop, the buffers that they name, the pipe that a statement runs on."""

from __future__ import annotations

import ast
import re
from functools import lru_cache

_VECTOR = ("SimtVF", "SimdVF")
_TENSOR = re.compile(r"(?:\w+\.)?(?:Tensor|Buffer)\b")
_ON_CHIP = re.compile(r"(?:\w+\.)?alloc_\w+")


@lru_cache(maxsize=8)
def nodes(text: str) -> tuple[ast.AST, ...]:
    """All nodes, the outer ones first; none where the text is no Python."""
    try:
        return tuple(ast.walk(ast.parse(text)))
    except (SyntaxError, ValueError):
        return ()


def around(text: str, line: int) -> list[ast.For | ast.With | ast.If]:
    """The blocks around a line, the outermost first."""
    found = (n for n in nodes(text) if isinstance(n, ast.For | ast.With | ast.If))
    return [n for n in found if n.lineno < line <= (n.end_lineno or n.lineno)]


def loops(text: str, line: int) -> list[ast.For]:
    """The loops around a line, the outermost first."""
    return [n for n in around(text, line) if isinstance(n, ast.For)]


def same_round(text: str, line: int, other: int) -> bool:
    """Whether two lines stand in the same innermost loop of the same scope of cores, as far as branches may differ."""
    one, two = (
        [n for n in around(text, number) if not isinstance(n, ast.If) and not _is_vector(n)]
        for number in (line, other)
    )
    return one == two


def branch(text: str, line: int, beside: int) -> ast.If | None:
    """The innermost branch that `line` stands in and `beside` does not."""
    other = around(text, beside)
    found = [n for n in around(text, line) if isinstance(n, ast.If) and n not in other]
    return found[-1] if found else None


def buffers(text: str, line: int) -> frozenset[str]:
    """The tensors and the buffers of the chip that the statement at `line` names."""
    found = _statement(text, line)
    if found is None:
        return frozenset()
    named = {n.id for n in ast.walk(found) if isinstance(n, ast.Name)}
    return frozenset(named & (_globals(text) | _allocated(text)))


def accesses(text: str, names: frozenset[str], beside: int) -> list[int]:
    """The lines of the statements in the round of `beside` that name one of the buffers, from top to bottom."""
    found = []
    for node in nodes(text):
        if isinstance(node, ast.Expr) or (isinstance(node, ast.With) and _is_vector(node)):
            here = same_round(text, node.lineno, beside)
            if here and names & buffers(text, node.lineno):
                found.append(node.lineno)
    return sorted(found)


def pipe_of(text: str, line: int) -> str:
    """The pipe that runs the statement at `line`: V for a vector function, MTE2 and MTE3 for copies between global memory
    and UB or L1. Empty where the text does not show it."""
    node = _statement(text, line)
    if isinstance(node, ast.With):
        return "V"
    if not isinstance(node, ast.Expr) or not isinstance(node.value, ast.Call):
        return ""
    call = node.value
    if not ast.unparse(call.func).endswith(".copy") or len(call.args) < 2:
        return ""
    source, target = (_base(a) for a in call.args[:2])
    if source in _globals(text) and target in _allocated(text):
        return "MTE2"
    return "MTE3" if source in _allocated(text, "ub", "shared") and target in _globals(text) else ""


def _statement(text: str, line: int) -> ast.stmt | None:
    for node in nodes(text):
        if not isinstance(node, ast.stmt):
            continue
        vector = isinstance(node, ast.With) and _is_vector(node)
        if (vector or isinstance(node, ast.Expr)) and node.lineno <= line <= (node.end_lineno or 0):
            return node
    return None


def _is_vector(node: ast.AST) -> bool:
    return isinstance(node, ast.With) and any(v in ast.dump(node.items[0]) for v in _VECTOR)


@lru_cache(maxsize=8)
def _globals(text: str) -> frozenset[str]:
    """Parameters that are tensors."""
    arguments = [n for n in nodes(text) if isinstance(n, ast.arg) and n.annotation is not None]
    return frozenset(n.arg for n in arguments if _TENSOR.match(ast.unparse(n.annotation or n)))


@lru_cache(maxsize=32)
def _allocated(text: str, *kinds: str) -> frozenset[str]:
    """Buffers of the chip, or of some kinds (`ub`)."""
    found = set()
    for node in nodes(text):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            made = ast.unparse(node.value.func)
            if _ON_CHIP.fullmatch(made) and (not kinds or made.endswith(kinds)):
                found |= {t.id for t in node.targets if isinstance(t, ast.Name)}
    return frozenset(found)


def _base(node: ast.expr) -> str:
    while isinstance(node, ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""
