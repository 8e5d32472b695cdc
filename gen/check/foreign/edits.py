"""Constants of a Python file, given other values than they have there."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from gen.errors import Diagnostic, GenError, hints, known, suggest


def with_constants(path: str, text: str, values: Mapping[str, str]) -> str:
    """`text` with every `NAME = …` (alone, in a tuple, a parameter's default, a call's keyword) given its other value.

    Lines stay. Raises GenError (E140) for a name that the file gives no value.
    """
    if not values:
        return text
    try:
        module = ast.parse(text)
    except SyntaxError:
        return text  # whoever runs it says so
    lines = text.encode().split(b"\n")
    found: set[str] = set()
    places = [
        (n.lineno, n.col_offset, n.end_col_offset, name)
        for name, n in _values(module)
        if n.end_lineno == n.lineno
    ]
    for line, start, end, name in sorted(places, reverse=True):
        if name in values:
            found.add(name)
            row = lines[line - 1]
            lines[line - 1] = row[:start] + values[name].encode() + row[end:]
    if missing := [name for name in values if name not in found]:
        names = sorted({name for *_, name in places})
        help = hints(suggest(missing[0], names), known("constant", names))
        message = f"the file gives no value to `{missing[0]}`"
        raise GenError([Diagnostic("E140", message, path, help=help)])
    return b"\n".join(lines).decode()


def _values(module: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    """Names with the expressions that they are set to, where these have no names or calls in them."""
    for node in ast.walk(module):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                yield from _paired(target, node.value)
        elif isinstance(node, ast.FunctionDef):
            arguments = node.args
            positional = [*arguments.posonlyargs, *arguments.args]
            pairs = list(zip(positional[::-1], arguments.defaults[::-1], strict=False))
            pairs += [
                (a, d)
                for a, d in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
                if d
            ]
            yield from ((a.arg, d) for a, d in pairs if _plain(d))
        elif isinstance(node, ast.Call):
            yield from ((k.arg, k.value) for k in node.keywords if k.arg and _plain(k.value))


def _paired(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    if isinstance(target, ast.Name) and _plain(value):
        yield target.id, value
    elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        for name, part in zip(target.elts, value.elts, strict=False):
            yield from _paired(name, part)


def _plain(node: ast.expr) -> bool:
    return not any(isinstance(n, ast.Name | ast.Call | ast.Subscript) for n in ast.walk(node))
