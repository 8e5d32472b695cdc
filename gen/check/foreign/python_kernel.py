"""What the text of a TileLang file says about its kernels, without running it: functions, extents, tensors, roles."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

_OPERATORS: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Div: operator.truediv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
}
_CALLS: dict[str, Callable[..., Any]] = {
    "ceildiv": lambda a, b: -(-a // b),
    "cdiv": lambda a, b: -(-a // b),
    "min": min,
    "max": max,
}
_COPIES = frozenset({"copy", "dual_copy"})


@dataclass(frozen=True)
class Function:
    """A function under `tilelang.jit`, or one that makes a T.prim_func: parameters with the values that they default to."""

    name: str
    line: int
    parameters: tuple[str, ...]
    defaults: Mapping[str, Any]
    is_jit: bool
    makes_prim_func: bool
    annotations: Mapping[str, ast.expr] = field(default_factory=dict)
    """Annotation of each tensor parameter of an eager kernel."""


@dataclass(frozen=True)
class PythonKernel:
    """A kernel file as its text shows it."""

    functions: tuple[Function, ...]
    constants: Mapping[str, Any]
    extents: frozenset[str]
    """Names of extents that are known at run time only (`T.symbolic`, `T.const`, `T.dynamic`)."""
    read: frozenset[str]
    """Roots of what is copied from, or indexed, in any kernel of the file."""
    written: frozenset[str]

    def role(self, name: str) -> str:
        """in, out, inout, or empty where the text does not show what happens to the tensor."""
        got, put = name in self.read, name in self.written
        return {(True, False): "in", (False, True): "out", (True, True): "inout"}.get(
            (got, put), ""
        )


def inspect(text: str) -> PythonKernel:
    """Reads the file. A file that Python does not parse has no functions: its front end says why."""
    try:
        module = ast.parse(text)
    except (SyntaxError, ValueError):
        return PythonKernel((), {}, frozenset(), frozenset(), frozenset())
    constants: dict[str, Any] = {}
    for statement in module.body:
        _remember(statement, constants)
    functions = [_function(n, constants) for n in module.body if isinstance(n, ast.FunctionDef)]
    read, written = _accesses(module)
    return PythonKernel(
        tuple(f for f in functions if f.is_jit or f.makes_prim_func),
        constants,
        frozenset(_extents(module)),
        frozenset(read),
        frozenset(written),
    )


def _remember(statement: ast.stmt, constants: dict[str, Any]) -> None:
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        target, value = statement.targets[0], evaluate(statement.value, constants)
        if isinstance(target, ast.Name) and value is not None:
            constants[target.id] = value
        elif isinstance(target, ast.Tuple) and isinstance(value, tuple):
            for name, part in zip(target.elts, value, strict=False):
                if isinstance(name, ast.Name):
                    constants[name.id] = part


def evaluate(node: ast.expr | None, names: Mapping[str, Any]) -> Any:
    """The value of an expression of constants; None where it has none that can be seen."""
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.Name):
        return names.get(node.id)
    if isinstance(node, ast.Attribute):
        return node.attr
    if isinstance(node, ast.Tuple | ast.List):
        parts = tuple(evaluate(part, names) for part in node.elts)
        return None if None in parts else parts
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        value = evaluate(node.operand, names)
        return -value if isinstance(value, int | float) else None
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        return _apply(_OPERATORS[type(node.op)], [node.left, node.right], names)
    if isinstance(node, ast.Call) and called(node) in _CALLS:
        return _apply(_CALLS[called(node)], node.args, names)
    return None


def _apply(function: Callable[..., Any], nodes: list[ast.expr], names: Mapping[str, Any]) -> Any:
    values = [evaluate(node, names) for node in nodes]
    if not all(isinstance(value, int | float) for value in values):
        return None
    try:
        return function(*values)
    except (ArithmeticError, TypeError):
        return None


def called(node: ast.AST) -> str:
    """Name of the function that a call calls, without what it is an attribute of."""
    if not isinstance(node, ast.Call):
        return ""
    if isinstance(node.func, ast.Attribute):
        return node.func.attr
    return node.func.id if isinstance(node.func, ast.Name) else ""


def _function(node: ast.FunctionDef, constants: Mapping[str, Any]) -> Function:
    arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
    positional = [*node.args.posonlyargs, *node.args.args]
    given = dict(zip([a.arg for a in positional[::-1]], node.args.defaults[::-1], strict=False))
    given |= {
        a.arg: d for a, d in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True) if d
    }
    annotations = {a.arg: a.annotation for a in arguments if a.annotation}
    annotations |= {
        n.target.id: n.annotation
        for n in ast.walk(node)
        if isinstance(n, ast.AnnAssign) and isinstance(n.target, ast.Name)
    }
    inner = [n for n in ast.walk(node) if isinstance(n, ast.FunctionDef) and n is not node]
    return Function(
        node.name,
        node.lineno,
        tuple(a.arg for a in arguments),
        {name: evaluate(value, constants) for name, value in given.items()},
        any(_decorator(d) == "jit" for d in node.decorator_list),
        any(_decorator(d) == "prim_func" for n in inner for d in n.decorator_list),
        {
            n: a
            for n, a in annotations.items()
            if called(a) in ("Tensor", "Buffer", "StridedTensor")
        },
    )


def _decorator(node: ast.expr) -> str:
    if isinstance(node, ast.Call):
        return called(node)
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def _extents(module: ast.Module) -> Iterator[str]:
    for node in ast.walk(module):
        if called(node) in ("symbolic", "const", "dynamic", "var") and isinstance(node, ast.Call):
            for argument in node.args[:1]:
                if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                    yield from (part.strip() for part in argument.value.split(","))


def _accesses(module: ast.Module) -> tuple[set[str], set[str]]:
    """Roots of subscripts and whole buffers that copies and assignments read and write."""
    read: set[str] = set()
    written: set[str] = set()
    copied: set[ast.AST] = set()
    for node in ast.walk(module):
        if not isinstance(node, ast.Call):
            continue
        name = called(node)
        sides = dict(enumerate(node.args)) | {k.arg: k.value for k in node.keywords}
        source, target = sides.get(0, sides.get("src")), sides.get(1, sides.get("dst"))
        if name in _COPIES and source is not None and target is not None:
            read.add(_root(source))
            written.add(_root(target))
            copied |= {source, target}
        elif name.startswith("atomic") and node.args:
            written.add(_root(node.args[0]))
            copied.add(node.args[0])
    for node in ast.walk(module):
        if isinstance(node, ast.Subscript) and node not in copied:
            (read if isinstance(node.ctx, ast.Load) else written).add(_root(node))
    _through_macros(module, read, written)
    return read - {""}, written - {""}


def _through_macros(module: ast.Module, read: set[str], written: set[str]) -> None:
    """What is given to a parameter of a `T.macro` is read and written as that is."""
    macros = {
        n.name: [a.arg for a in n.args.args]
        for n in ast.walk(module)
        if isinstance(n, ast.FunctionDef)
        and any(_decorator(d) == "macro" for d in n.decorator_list)
    }
    pairs = {
        (parameter, _root(given))
        for node in ast.walk(module)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in macros
        for parameter, given in (
            *zip(macros[node.func.id], node.args, strict=False),
            *((k.arg, k.value) for k in node.keywords),
        )
    }
    for _ in macros:  # a macro may call another
        for side in (read, written):
            side |= {given for parameter, given in pairs if parameter in side}


def _root(node: ast.expr) -> str:
    while isinstance(node, ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""
