"""Preparing a kernel of the M tree."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

from gen.check.foreign.a_tree import merged
from gen.check.foreign.arguments import Arguments
from gen.check.foreign.prepared import KernelFile, Prepared, Progress
from gen.check.foreign.python_kernel import Function, PythonKernel, evaluate
from gen.check.foreign.tensors import DTYPES, SpecError, TensorSpec, declared
from gen.compile import m_tree
from gen.compile.m_tree import Lowered, Request, TensorType
from gen.errors import Diagnostic, GenError


def prepare(
    file: KernelFile,
    kernel: PythonKernel,
    arguments: Arguments,
    given: Mapping[str, TensorSpec],
    progress: Progress,
) -> Prepared:
    """Compiles the file for tensors as `given`, or as the annotations of its function say.

    Raises CompileError, and GenError (E142) where the shape of an input is not known.
    """
    request = request_of(file, kernel, arguments, given)
    function = _function(kernel, arguments)
    lowered = m_tree.lower(request, progress=progress)
    program = m_tree.compile(
        file.path,
        request.inputs,
        text=file.text,
        function=request.function,
        constants=arguments.call,
        progress=progress,
    )
    eager = {t.name for t in request.inputs}
    is_eager = function is not None and function.is_jit and not function.makes_prim_func
    tensors = []
    for tensor in lowered.tensors:
        made = is_eager and tensor.name not in eager
        role = "out" if made else _role(tensor.name, lowered, kernel)
        try:
            spec = declared(tensor.name, tensor.dtype, tensor.shape, role)
        except SpecError as error:
            raise GenError([Diagnostic("E142", str(error), str(file.path))]) from None
        own = given.get(tensor.name)
        tensors.append(spec if own is None else merged(file, spec, own))
    return Prepared(program, tuple(tensors), arguments.all)


def request_of(
    file: KernelFile, kernel: PythonKernel, arguments: Arguments, given: Mapping[str, TensorSpec]
) -> Request:
    """What the compiler is asked for. Raises GenError (E142) where the shape of an input is not known."""
    function = _function(kernel, arguments)
    types = _types(file, kernel, function, arguments, given)
    name = arguments.function or (function.name if function and not function.is_jit else None)
    return Request(str(file.path), file.text, types, name, arguments.call)


def _function(kernel: PythonKernel, arguments: Arguments) -> Function | None:
    if arguments.function is not None:
        return next((f for f in kernel.functions if f.name == arguments.function), None)
    found = [f for f in kernel.functions if f.is_jit] or list(kernel.functions)
    return found[0] if len(found) == 1 else None


def _role(name: str, lowered: Lowered, kernel: PythonKernel) -> str:
    if not any(name in launch.written for launch in lowered.launches):
        return "in"
    return "inout" if kernel.role(name) in ("in", "inout", "") else "out"


def _types(
    file: KernelFile,
    kernel: PythonKernel,
    function: Function | None,
    arguments: Arguments,
    given: Mapping[str, TensorSpec],
) -> tuple[TensorType, ...]:
    """The tensors that an eager kernel is specialised for; none for a function that makes a T.prim_func."""
    if function is None:
        return tuple(
            TensorType(t.name, t.shape, str(t.dtype)) for t in given.values() if t.role != "out"
        )
    if function.makes_prim_func:
        return ()
    names = {**kernel.constants, **function.defaults, **arguments.all}
    wanted = [
        p
        for p in function.parameters
        if p in function.annotations or (p not in function.defaults and p not in arguments.call)
    ]
    found, missing = [], []
    for parameter in wanted:
        own = given.get(parameter)
        spec = own or _annotated(parameter, function.annotations.get(parameter), names)
        if spec is None:
            missing.append(parameter)
        else:
            found.append(TensorType(parameter, spec.shape, str(spec.dtype)))
    if missing:
        raise GenError([_unknown(file, function, name, kernel, names) for name in missing])
    return tuple(found)


def _annotated(name: str, node: ast.expr | None, names: Mapping[str, Any]) -> TensorSpec | None:
    """The tensor that `T.Tensor(shape, dtype)` describes, where every extent has a value."""
    if not isinstance(node, ast.Call) or len(node.args) < 2:
        return None
    shape, dtype = evaluate(node.args[0], names), evaluate(node.args[1], names)
    shape = (shape,) if isinstance(shape, int) else shape
    if not isinstance(shape, tuple) or not all(isinstance(n, int) and n > 0 for n in shape):
        return None
    return TensorSpec(name, DTYPES[dtype], shape) if dtype in DTYPES else None


def _unknown(
    file: KernelFile, function: Function, name: str, kernel: PythonKernel, names: Mapping[str, Any]
) -> Diagnostic:
    message = f"the shape and number format of `{name}` are not known"
    open_ = [n for n in sorted(kernel.extents) if n not in names]
    extent = f"--arg {' --arg '.join(f'{n}=1024' for n in open_)}, or " if open_ else ""
    help = f"give {extent}--input {name}=float32[1024]"
    source = file.text.splitlines()[function.line - 1]
    column = source.find("def ") + 1
    return Diagnostic(
        "E142",
        message,
        str(file.path),
        function.line,
        max(column, 1),
        len(source.strip()),
        source,
        help,
    )
