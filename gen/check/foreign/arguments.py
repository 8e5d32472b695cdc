"""Arguments of a Python kernel: `name=value` from the command line or an `arg:` line, held against its parameters."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gen.check.foreign.files import HeaderLine
from gen.check.foreign.options import RunOptions
from gen.check.foreign.python_kernel import Function, PythonKernel
from gen.errors import Diagnostic, GenError, hints, known, listing, suggest


@dataclass(frozen=True)
class Arguments:
    """Values for the factory (`call`) and for extents that are known at run time only (`extents`)."""

    function: str | None
    call: Mapping[str, Any]
    extents: Mapping[str, int]

    @property
    def all(self) -> dict[str, Any]:
        """Both."""
        return {**self.extents, **self.call}


def arguments_of(
    path: Path, kernel: PythonKernel, options: RunOptions, lines: tuple[HeaderLine, ...]
) -> Arguments:
    """The arguments of the file's `arg:` lines, overridden by those of the command line.

    Raises GenError (E140) for a value without a name, a name that the kernel does not have, and a function that is not
    in the file.
    """
    values: dict[str, Any] = {}
    for line in lines:
        if line.key == "arg" and not line.detail:
            values |= _pairs(line, path)
    values |= {name: value_of(text) for name, text in options.arguments.items()}
    wanted = options.function or _said(lines)
    function = _chosen(path, kernel, wanted, values)
    parameters = set(function.parameters) if function else set()
    unknown = [name for name in values if name not in parameters | kernel.extents]
    if unknown and kernel.functions:
        raise GenError([_unknown(path, name, function, kernel) for name in unknown])
    if (
        function is not None
        and function.makes_prim_func
        and (
            missing := [p for p in function.parameters if p not in {**function.defaults, **values}]
        )
    ):
        message = f"`{function.name}` needs a value for {listing(missing, 'and')}"
        help = f"give it one: --arg {missing[0]}=1024"
        raise GenError([Diagnostic("E140", message, str(path), help=help)])
    call = {name: value for name, value in values.items() if name in parameters}
    extents = {n: v for n, v in values.items() if n in kernel.extents and n not in parameters}
    if bad := [name for name, value in extents.items() if not isinstance(value, int)]:
        message = f"the extent {listing(bad)} has to be a whole number"
        raise GenError([Diagnostic("E140", message, str(path))])
    named = function.name if function and (call or wanted) else wanted
    return Arguments(named, call, extents)


def _said(lines: tuple[HeaderLine, ...]) -> str | None:
    return next((line.value for line in lines if line.key == "function" and not line.detail), None)


def _pairs(line: HeaderLine, path: Path) -> dict[str, Any]:
    found = {}
    for item in line.value.split():
        name, equals, value = item.partition("=")
        if not (equals and name.isidentifier() and value):
            help = "write arg: n=3 dtype=float16"
            raise GenError(
                [line.mistake("E140", path, f"`{item}` is not name=value", at=item, help=help)]
            )
        found[name] = value_of(value)
    return found


def value_of(text: str) -> Any:
    """A number, truth value, list or None where the text is one in Python; else the text itself."""
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text


def _chosen(
    path: Path, kernel: PythonKernel, name: str | None, values: Mapping[str, Any]
) -> Function | None:
    """The function that is meant, as far as the text shows it."""
    if name is not None:
        found = next((f for f in kernel.functions if f.name == name), None)
        if found is None and kernel.functions:
            names = [f.name for f in kernel.functions]
            help = hints(suggest(name, names), known("kernel function", names))
            raise GenError(
                [Diagnostic("E140", f"there is no kernel function `{name}`", str(path), help=help)]
            )
        return found
    jits = [f for f in kernel.functions if f.is_jit] or list(kernel.functions)
    if len(jits) == 1:
        return jits[0]
    fitting = [f for f in jits if set(values) <= set(f.parameters)]
    if values and len(fitting) != 1:
        names = [f.name for f in jits]
        message = f"the arguments fit {len(fitting)} of the file's {len(jits)} kernel functions"
        help = hints("say which with --function", known("kernel function", names))
        raise GenError([Diagnostic("E140", message, str(path), help=help)])
    return fitting[0] if values else None


def _unknown(path: Path, name: str, function: Function | None, kernel: PythonKernel) -> Diagnostic:
    choices = [*(function.parameters if function else ()), *sorted(kernel.extents)]
    whose = f"`{function.name}`" if function else "the kernel"
    help = hints(suggest(name, choices), known("argument", choices))
    return Diagnostic("E140", f"{whose} has no argument `{name}`", str(path), help=help)
