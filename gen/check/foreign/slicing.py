"""What of a script a compiler has to execute to make one of its kernels."""

from __future__ import annotations

import ast
import builtins
import re
import symtable
from collections.abc import Iterator, Mapping, Sequence, Set

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
    kept = _needed(text, module, found[-1], names.keys())
    lines = text.encode().split(b"\n")
    for node in reversed(module.body):
        if node not in kept:
            _clear(lines, node)
    given = "; ".join(f"{name} = {value!r}" for name, value in sorted(names.items()))
    told = f"import sys; sys.argv[1:] = {list(arguments)!r}" if arguments else ""
    _begin(lines, kept, [part for part in (told, given) if part])
    return b"\n".join([*lines, given.encode(), b""] if given else lines).decode()


def _needed(
    text: str, module: ast.Module, function: ast.FunctionDef, given: Set[str]
) -> list[ast.stmt]:
    """Statements of the module: imports, what binds a name that is needed, and what changes such a thing."""
    free = _free_names(text)
    defined = {n.name for n in module.body if isinstance(n, _FUNCTIONS)}
    kept: list[ast.stmt] = [n for n in module.body if isinstance(n, _IMPORTS)]
    kept.append(function)
    known = set(dir(builtins)).union(*map(_bound, kept))
    wanted = _uses(function, free)
    while True:
        more = [
            node
            for node in module.body
            if node not in kept and _is_needed(node, function, wanted - given, known - defined)
        ]
        if not more:
            return kept
        kept += more
        for node in more:
            known |= _bound(node)
            wanted |= _uses(node, free)


def _is_needed(
    node: ast.stmt, function: ast.FunctionDef, wanted: set[str], known: set[str]
) -> bool:
    if _is_main(node):
        return False
    bound = _bound(node)
    used = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
    if function.name in bound | used:
        return isinstance(node, _FUNCTIONS) and node.name in wanted - {function.name}
    if bound:
        return bool(bound & wanted)
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
        inner = target
        while isinstance(inner, ast.Attribute | ast.Subscript):
            inner = inner.value
        if inner is not target and isinstance(inner, ast.Name):
            found.add(inner.id)
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
    elif isinstance(
        node, ast.Lambda | ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
    ):
        return
    for part in ast.iter_child_nodes(node):
        yield from _bindings(part)


def _uses(node: ast.stmt, free: Mapping[tuple[str, int], set[str]]) -> set[str]:
    """Names of the module that it may look up; those in quoted annotations, too."""
    found: set[str] = set()
    for annotation in _annotations(node):
        for part in ast.walk(annotation):
            if isinstance(part, ast.Name):
                found.add(part.id)
            elif isinstance(part, ast.Constant) and isinstance(part.value, str):
                found |= set(re.findall(r"[^\W\d]\w*", part.value))
    if not isinstance(node, _FUNCTIONS):
        return found | {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
    outer: list[ast.expr] = list(node.decorator_list)
    if isinstance(node, ast.ClassDef):
        outer += [*node.bases, *(k.value for k in node.keywords)]
    else:
        parameters = node.args
        outer += [*parameters.defaults, *(d for d in parameters.kw_defaults if d)]
    for expression in outer:
        found |= {n.id for n in ast.walk(expression) if isinstance(n, ast.Name)}
    return found | free.get((node.name, node.lineno), set())


def _annotations(node: ast.stmt) -> Iterator[ast.expr]:
    """Of parameters and names, however deep: compilers look them up by rules of their own."""
    for part in ast.walk(node):
        if isinstance(part, ast.arg | ast.AnnAssign) and part.annotation:
            yield part.annotation


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
    decorators = node.decorator_list if isinstance(node, _FUNCTIONS) else []
    first = min([node.lineno, *(d.lineno for d in decorators)])
    last = node.end_lineno or node.lineno
    start = 0 if decorators else node.col_offset
    end = node.end_col_offset or 0
    rest = lines[last - 1][end:]
    if first == last:
        before = lines[first - 1][:start]
        alone = not before.strip() and rest.lstrip()[:1] in (b"", b"#")
        lines[first - 1] = b"" if alone else before + b"pass" + rest
        return
    lines[first - 1] = lines[first - 1][:start]
    lines[first : last - 1] = [b""] * (last - 1 - first)
    lines[last - 1] = rest.lstrip(b"; \t")


def _begin(lines: list[bytes], kept: Sequence[ast.stmt], parts: list[str]) -> None:
    """Puts statements before the first import: what follows may look at what they set."""
    imports = [
        node.lineno
        for node in kept
        if isinstance(node, _IMPORTS) and getattr(node, "module", "") != "__future__"
    ]
    if imports and parts:
        row = min(imports) - 1
        lines[row] = "".join(f"{part}; " for part in parts).encode() + lines[row]
