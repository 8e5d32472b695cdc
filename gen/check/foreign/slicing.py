"""What of a script a compiler has to execute to make one of its kernels."""

from __future__ import annotations

import ast
import re
import symtable
from collections.abc import Iterator, Mapping, Sequence

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_IMPORTS = (ast.Import, ast.ImportFrom)


def as_called(
    text: str, function: str, names: Mapping[str, object], arguments: Sequence[str] = ()
) -> str:
    """`text` as the compiler has to see it when a script calls `function`: what it needs of the module, and no more.

    A kernel's annotations are looked up in the module, where the script may have changed them: `names` of the module
    have the values given. `arguments` are the script's own (`sys.argv[1:]`). What makes tensors, calls kernels or
    compares is left out, wherever it stands. Lines stay.
    """
    module = ast.parse(text)
    found = [n for n in module.body if isinstance(n, ast.FunctionDef) and n.name == function]
    if not found:
        return text
    kept = _needed(text, module, found[-1], names)
    lines = text.encode().split(b"\n")
    for node in module.body:
        if node not in kept:
            _clear(lines, node)
    given = b"; ".join(f"{name} = {value!r}".encode() for name, value in sorted(names.items()))
    for node in module.body:
        if isinstance(node, ast.Assign) and _bound(node) <= names.keys() and node not in kept:
            values = [f"{name} = {names[name]!r}" for name in sorted(_bound(node))]
            row = lines[node.lineno - 1]
            before, behind = row[: node.col_offset], row[node.col_offset :]
            lines[node.lineno - 1] = before + "; ".join(values).encode() + behind
    if arguments:
        _tell(lines, kept, list(arguments))
    return b"\n".join([*lines, given, b""] if given else lines).decode()


def _needed(
    text: str, module: ast.Module, function: ast.FunctionDef, names: Mapping[str, object]
) -> list[ast.stmt]:
    """Statements of the module: imports, what binds a name that is needed, and what changes such a thing."""
    free = _free_names(text)
    defined = {n.name for n in module.body if isinstance(n, _FUNCTIONS)}
    kept: list[ast.stmt] = [n for n in module.body if isinstance(n, _IMPORTS)]
    kept.append(function)
    known = set().union(*map(_bound, kept))
    wanted = _uses(function, free)
    while True:
        more = [
            node
            for node in module.body
            if node not in kept and _is_needed(node, function, wanted, known - defined, names)
        ]
        if not more:
            return kept
        kept += more
        for node in more:
            known |= _bound(node)
            wanted |= _uses(node, free)


def _is_needed(
    node: ast.stmt,
    function: ast.FunctionDef,
    wanted: set[str],
    known: set[str],
    names: Mapping[str, object],
) -> bool:
    if _is_main(node):
        return False
    bound = _bound(node)
    if bound:
        # One whose value is given need not be computed; a kernel of the same name is another one.
        given = isinstance(node, ast.Assign) and bound <= names.keys()
        return bool(bound & wanted) and not given and function.name not in bound
    used = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
    if isinstance(node, ast.Expr | ast.Assign | ast.AugAssign | ast.AnnAssign | ast.Delete):
        if node.lineno > function.lineno and not _root(node) & wanted:
            return False
        return bool(used) and used <= known
    return False


def _is_main(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and "__name__" in ast.dump(node.test)


def _root(node: ast.stmt) -> set[str]:
    """Names of the things that it changes: `x` of `x.append(1)`, `x.y = 1` and `x[0] = 1`."""
    if isinstance(node, ast.Expr):
        targets = [node.value.func] if isinstance(node.value, ast.Call) else []
    elif isinstance(node, ast.Assign | ast.Delete):
        targets = list(node.targets)
    elif isinstance(node, ast.AugAssign | ast.AnnAssign):
        targets = [node.target]
    else:
        return set()
    found = set()
    for target in targets:
        while isinstance(target, ast.Attribute | ast.Subscript):
            target = target.value
            if isinstance(target, ast.Name):
                found.add(target.id)
    return found


def _bound(node: ast.stmt) -> set[str]:
    """Names of the module that a statement of it gives a value."""
    return set(_bindings(node))


def _bindings(node: ast.AST) -> Iterator[str]:
    if isinstance(node, _FUNCTIONS):
        yield node.name
        return
    if isinstance(node, _IMPORTS):
        for alias in node.names:
            yield alias.asname or alias.name.partition(".")[0]
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        yield node.id
    elif isinstance(node, ast.Lambda | ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
        return
    for part in ast.iter_child_nodes(node):
        yield from _bindings(part)


def _uses(node: ast.stmt, free: Mapping[tuple[str, int], set[str]]) -> set[str]:
    """Names of the module that it may look up; those in quoted annotations, too."""
    found: set[str] = set()
    for part in ast.walk(node):
        if isinstance(part, ast.Constant) and isinstance(part.value, str) and len(part.value) < 200:
            found |= set(re.findall(r"[^\W\d]\w*", part.value))
    if not isinstance(node, _FUNCTIONS):
        return found | {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
    outer: list[ast.expr] = list(node.decorator_list)
    if isinstance(node, ast.ClassDef):
        outer += [*node.bases, *(k.value for k in node.keywords)]
    else:
        parameters = node.args
        outer += [*parameters.defaults, *(d for d in parameters.kw_defaults if d)]
        every = [*parameters.posonlyargs, *parameters.args, *parameters.kwonlyargs]
        outer += [p.annotation for p in every if p.annotation]
    for expression in outer:
        found |= {n.id for n in ast.walk(expression) if isinstance(n, ast.Name)}
    return found | free.get((node.name, _first_line(node)), set())


def _first_line(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> int:
    """As symbol tables count it."""
    return min([node.lineno, *(d.lineno for d in node.decorator_list)])


def _free_names(text: str) -> dict[tuple[str, int], set[str]]:
    """Of each function and class of the module: the names that it, or one within it, looks up in the module."""
    table = symtable.symtable(text, "kernel", "exec")
    return {
        (child.get_name(), child.get_lineno()): set(_globals(child))
        for child in table.get_children()
    }


def _globals(table: symtable.SymbolTable) -> Iterator[str]:
    yield from (s.get_name() for s in table.get_symbols() if s.is_global())
    for child in table.get_children():
        yield from _globals(child)


def _clear(lines: list[bytes], node: ast.stmt) -> None:
    """Takes it out, its decorators with it; what stands before or behind it on its lines stays."""
    first = _first_line(node) if isinstance(node, _FUNCTIONS) else node.lineno
    last = node.end_lineno or node.lineno
    start = node.col_offset if first == node.lineno else 0
    end = node.end_col_offset or 0
    if first == last:
        row = lines[first - 1]
        lines[first - 1] = row[:start] + b" " * 0 + b"pass" + row[end:]
        return
    lines[first - 1] = lines[first - 1][:start]
    for i in range(first, last - 1):
        lines[i] = b""
    rest = lines[last - 1][end:]
    lines[last - 1] = b"" if not rest.strip(b"; \t\r") else b"pass" + rest


def _tell(lines: list[bytes], kept: Sequence[ast.stmt], arguments: list[str]) -> None:
    """Sets `sys.argv` before the first import that may look at it."""
    imports = [
        n
        for n in kept
        if isinstance(n, _IMPORTS) and getattr(n, "module", None) != "__future__" and not n.col_offset
    ]
    if not imports:
        return
    place = min(n.lineno for n in imports) - 1
    told = f"import sys; sys.argv[1:] = {arguments!r}; "
    lines[place] = told.encode() + lines[place]
