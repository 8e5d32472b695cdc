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


def as_called(text: str, function: str, names: Mapping[str, object]) -> str:
    """`text` as the compiler has to see it when a script calls `function`: module names have the values `names`.

    A kernel's annotations are looked up in the module, where the script may have changed them. What the script does
    after the function is left out; lines stay.
    """
    module = ast.parse(text)
    found = [n for n in module.body if isinstance(n, ast.FunctionDef) and n.name == function]
    if not found or not names:
        return text
    lines = text.split("\n")
    for node in module.body[module.body.index(found[-1]) + 1 :]:
        if not isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Import | ast.ImportFrom):
            lines[node.lineno - 1 : node.end_lineno] = [""] * (
                (node.end_lineno or 0) - node.lineno + 1
            )
    values = "; ".join(f"{name} = {value!r}" for name, value in sorted(names.items()))
    return "\n".join([*lines, values, ""])


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
