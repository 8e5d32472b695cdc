"""Which event ids an expression in a kernel's text may stand for, and where it means the same elsewhere."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable

from gen.check.nesting import Nesting, nesting

_NAME = re.compile(r"\b[A-Za-z_]\w*")
_LIMIT = 64
"""Larger sets of numbers are not ids."""
_DEPTH = 8


def values(text: str, expression: str, line: int) -> frozenset[int] | None:
    """The numbers that an expression at `line` may be; None where the text does not show them."""
    plain = re.sub(r"\bEVENT_ID(\d)", r"\1", expression).removeprefix("static_cast<event_t>")
    try:
        tree = ast.parse(plain.strip(), mode="eval").body
    except (SyntaxError, ValueError):
        return None
    return _of(text.split("\n"), tree, line, _DEPTH)


def means_the_same(text: str, expression: str, line: int, elsewhere: Iterable[int]) -> bool:
    """Whether an expression of `line` may be written at other lines, too: they stand in its block, and none of its names
    gets a value between."""
    names = "|".join(map(re.escape, _NAME.findall(expression)))
    lines = text.split("\n")
    for other in elsewhere:
        one, two = min(line, other), max(line, other)
        if nesting(text, one, two) is not Nesting.SAME:
            return False
        given = re.compile(rf"\b(?:{names})\b(?:\s*,\s*\w+)*\s*(?:[-+*/%&|^]?=[^=]|\+\+)")
        if names and any(given.search(between) for between in lines[one - 1 : two]):
            return False
    return True


def _of(lines: list[str], node: ast.expr, line: int, depth: int) -> frozenset[int] | None:
    match node:
        case ast.Constant(int(value)):
            return frozenset({value})
        case ast.Name(name) if depth:
            return _named(lines, name, line, depth - 1)
        case ast.BinOp(left, op, right):
            one, two = _of(lines, left, line, depth), _of(lines, right, line, depth)
            return _computed(one, op, two)
    return None


def _computed(
    one: frozenset[int] | None, op: ast.operator, two: frozenset[int] | None
) -> frozenset[int] | None:
    if two is None or one is None:
        if two and len(two) == 1 and 0 < min(two) < _LIMIT:
            bounds = {ast.Mod: min(two), ast.BitAnd: min(two) + 1}
            return frozenset(range(bounds[type(op)])) if type(op) in bounds else None
        return None
    match op:
        case ast.Add():
            found = {a + b for a in one for b in two}
        case ast.Sub():
            found = {a - b for a in one for b in two}
        case ast.Mult():
            found = {a * b for a in one for b in two}
        case ast.Mod() if 0 not in two:
            found = {a % b for a in one for b in two}
        case ast.FloorDiv() if 0 not in two:
            found = {a // b for a in one for b in two}
        case ast.BitAnd():
            found = {a & b for a in one for b in two}
        case ast.BitXor():
            found = {a ^ b for a in one for b in two}
        case _:
            return None
    return frozenset(found) if len(found) <= _LIMIT else None


def _named(lines: list[str], name: str, line: int, depth: int) -> frozenset[int] | None:
    """What the nearest line above gives the name: a loop its rounds, an assignment a value."""
    loop = re.compile(
        rf"^\s*for\s+{name}\s+in\s+[\w.]+\((?P<python>[^,()]+)(?:,\s*\w+\s*=[^()]*)?\)\s*:"
        rf"|\bfor\s*\([\w\s]*\b{name}\s*=\s*0\s*;\s*{name}\s*<\s*(?P<cpp>[^;]+);"
    )
    given = re.compile(rf"(?:^|[\w\s;(])\b{name}\s*=\s*(?P<value>[^=;#][^;#]*)")
    for number in range(line, 0, -1):
        code = lines[number - 1]
        if found := loop.search(code):
            count = _parsed(lines, found["python"] or found["cpp"], number, depth)
            end = max(count, default=0) if count else 0
            return frozenset(range(end)) if 0 < end <= _LIMIT else None
        if re.search(rf"\bfor\b.*\b{name}\b.*\bin\b", code):
            return None
        if code.lstrip().startswith(("def ", "#", "//")):
            continue
        if several := re.match(r"^\s*(\w+(?:\s*,\s*\w+)+)\s*=\s*([^=].*)$", code):
            names, values = ([p.strip() for p in g.split(",")] for g in several.groups())
            if name in names:
                known = len(names) == len(values)
                return _parsed(lines, values[names.index(name)], number, depth) if known else None
        elif found := given.search(code):
            return _parsed(lines, found["value"], number - 1, depth)
    return None


def _parsed(lines: list[str], expression: str, line: int, depth: int) -> frozenset[int] | None:
    try:
        tree = ast.parse(expression.strip(), mode="eval").body
    except (SyntaxError, ValueError):
        return None
    return _of(lines, tree, line, depth) if depth else None
