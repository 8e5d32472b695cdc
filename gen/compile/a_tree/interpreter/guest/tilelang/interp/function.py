"""T.prim_func and T.macro: functions whose text is made to run on a core."""

from __future__ import annotations

import ast
import functools
import inspect
import textwrap
from collections.abc import Callable, Sequence
from types import CodeType, FunctionType
from typing import Any

from .buffer import Buffer
from .helper import Helper
from .inserting import inserts
from .proxies import TensorType
from .refusal import RefusalError, unsupported
from .rewrite import HELPER, Planned, Recorded, Synchronised, check, rewritten
from .session import session

Pass = type[Planned] | type[Recorded]


class Source:
    """The text of a function, and what it becomes for each pass."""

    def __init__(self, function: FunctionType, *, macro: bool = False) -> None:
        self.function = function
        self.tree = _tree(function)
        self.checked = check(self.tree)
        self.helper = Helper(self.checked.suspects, macro=macro)
        self._made: dict[Pass, Callable[..., Any]] = {}

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        kind: Pass = Synchronised if inserts() else Recorded
        return self.of_pass(Planned if session().plan is not None else kind)(*args, **kwargs)

    def of_pass(self, kind: Pass) -> Callable[..., Any]:
        """The function as it runs in a pass."""
        if kind not in self._made:
            self._made[kind] = self._compiled(rewritten(self.tree, kind, self.checked))
        return self._made[kind]

    def _compiled(self, tree: ast.FunctionDef) -> Callable[..., Any]:
        """With the cells of the original: its free variables stay what they are."""
        function = self.function
        free = function.__code__.co_freevars
        arguments = [ast.arg(name) for name in (*free, HELPER)]
        outer = ast.FunctionDef(
            "around", ast.arguments([], arguments, None, [], [], None, []), [tree], [], None, None
        )
        if hasattr(ast, "TypeIgnore") and "type_params" in ast.FunctionDef._fields:
            outer.type_params = []  # type: ignore[attr-defined]
        module = ast.Module([outer], [])
        ast.fix_missing_locations(module)
        code = compile(module, function.__code__.co_filename, "exec", dont_inherit=True)
        inner = _inner(_inner(code, "around"), function.__name__)
        cells = dict(zip(free, function.__closure__ or (), strict=True))
        cells[HELPER] = _cell(self.helper)
        closure = tuple(cells[name] for name in inner.co_freevars)
        made = FunctionType(
            inner, function.__globals__, function.__name__, function.__defaults__, closure
        )
        made.__kwdefaults__ = function.__kwdefaults__
        return made


def _cell(value: Any) -> Any:
    def holder() -> Any:
        return value

    assert holder.__closure__ is not None
    return holder.__closure__[0]


def _inner(code: CodeType, name: str) -> CodeType:
    return next(c for c in code.co_consts if isinstance(c, CodeType) and c.co_name == name)


def _tree(function: FunctionType) -> ast.FunctionDef:
    """Where its text has it. Raises RefusalError where there is no text."""
    try:
        lines, first = inspect.getsourcelines(function)
    except (OSError, TypeError):
        raise RefusalError(
            "the text of this kernel cannot be read", "put the kernel into a file"
        ) from None
    text = "".join(lines)
    indent = len(text) - len(text.lstrip())
    module = ast.parse(textwrap.dedent(text))
    tree = module.body[0]
    if not isinstance(tree, ast.FunctionDef):
        raise RefusalError("a kernel is a function", line=first)
    for node in ast.walk(tree):
        if hasattr(node, "lineno"):
            node.lineno += first - 1
            node.end_lineno += first - 1  # type: ignore[attr-defined]
            node.col_offset += indent  # type: ignore[attr-defined]
            node.end_col_offset += indent  # type: ignore[attr-defined]
    return tree


class PrimFunc:
    """A kernel. `tensors` are its parameters."""

    def __init__(self, function: FunctionType) -> None:
        self.name = function.__name__
        self.line = function.__code__.co_firstlineno
        self.file = function.__code__.co_filename
        self.source = Source(function)
        self.tensors = [
            _tensor(name, kind, i)
            for i, (name, kind) in enumerate(_annotations(function, self.source.tree))
        ]
        self.attrs = {"global_symbol": self.name}

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        from .host import reached

        reached()

    def run_body(self, tensors: Sequence[Buffer] = ()) -> None:
        """One pass over the kernel; with tensors whose extents are known, where a core runs."""
        self.source(*(tensors or self.tensors))


def _annotations(function: FunctionType, tree: ast.FunctionDef) -> list[tuple[str, Any]]:
    """The types of parameters, as the compiler finds them: where a name is global, unless the body uses it."""
    arguments = (*tree.args.posonlyargs, *tree.args.args, *tree.args.kwonlyargs)
    nonlocals = inspect.getclosurevars(function).nonlocals
    seen = {**function.__globals__, **nonlocals}
    found = []
    for argument in arguments:
        if argument.annotation is None:
            raise RefusalError(
                f"the parameter {argument.arg} has no type",
                f"write {argument.arg}: T.Tensor(shape, dtype)",
                line=function.__code__.co_firstlineno,
            )
        given = function.__annotations__.get(argument.arg)
        found.append((argument.arg, _evaluated(argument, argument.annotation, given, seen)))
    return found


def _evaluated(argument: ast.arg, annotation: ast.expr, given: Any, seen: dict[str, Any]) -> Any:
    """A type with the names that the compiler sees. `given`: the type as Python has it, or its text."""
    try:
        code = compile(ast.Expression(annotation), "<type>", "eval", dont_inherit=True)
        found = eval(code, dict(seen))
    except NameError as error:
        if not isinstance(given, str):
            return given
        raise RefusalError(
            f"the compiler does not find `{error.name}` for the type of {argument.arg}: types see globals, and what the"
            " body of the kernel uses",
            f"use {error.name} in the body, too, or leave out `from __future__ import annotations`",
            line=argument.lineno,
        ) from None
    if isinstance(given, str) or repr(found) == repr(given):
        return found
    used = [n.id for n in ast.walk(annotation) if isinstance(n, ast.Name)]
    names = [name for name in used if isinstance(seen.get(name), int | float | str)]
    raise RefusalError(
        f"the compiler takes {argument.arg} for {_words(found)}, and Python for {_words(given)}: of {', '.join(names)} it"
        " sees what is global, because the body of the kernel does not use them",
        "give the argument, or the global, another name",
        line=argument.lineno,
    )


def _words(kind: Any) -> str:
    return f"{kind.dtype}{list(kind.shape)}" if isinstance(kind, TensorType) else str(kind)


def _tensor(name: str, kind: Any, index: int) -> Buffer:
    if not isinstance(kind, TensorType):
        raise RefusalError(f"the parameter {name} is no T.Tensor(shape, dtype)")
    buffer = Buffer(name, "global", kind.dtype, kind.shape)
    buffer.address = index
    return buffer


def prim_func(function: Any = None, **options: Any) -> Any:
    """Makes a kernel of a function."""
    if function is None:
        return functools.partial(prim_func, **options)
    return PrimFunc(function)


def func_attr(attrs: Any) -> None:
    """Notes beside a kernel: the compiler's passes ask for none of those that a kernel gives."""
    if session().plan is not None and session().plan.kernel is not None:
        raise RefusalError(
            "T.func_attr stands in a T.Kernel", "put it in front, at the start of the function"
        )
    if not isinstance(attrs, dict) or any(not isinstance(name, str) for name in attrs):
        raise RefusalError("T.func_attr takes {name: value}")
    known = [name for name in attrs if name in ("global_symbol", "buffers_skip_vid_reduction")]
    if known or any(name.startswith(("tir.", "tl.")) for name in attrs):
        raise unsupported(f"T.func_attr of {', '.join(attrs)}")


def macro(function: Any = None, **options: Any) -> Any:
    """Makes a function whose statements become those of the kernel that calls it."""
    if function is None:
        return functools.partial(macro, **options)
    source = Source(function, macro=True)

    @functools.wraps(function)
    def run(*args: Any, **kwargs: Any) -> Any:
        if session().plan is not None:
            session().plan.program.used()
        return source(*args, **kwargs)

    return run
