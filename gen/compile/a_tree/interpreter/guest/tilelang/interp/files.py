"""The kernels of a file."""

from __future__ import annotations

import contextlib
import inspect
import traceback
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .buffer import BYTES, Buffer
from .expression import Expression
from .function import PrimFunc
from .host import RECORDER, HostReached, Kernel
from .refusal import RefusalError


def unsuitable(message: str, line: int = 0) -> RefusalError:
    """The file makes no kernel, or needs arguments to make one."""
    help = "name the function and give its arguments" if "value" in message else ""
    return RefusalError(message, help, kind="unsuitable", line=line)


def kernels(
    path: str,
    text: str,
    factory: str | None,
    arguments: Mapping[str, Any],
    stopped: type[BaseException],
) -> list[Kernel]:
    """Those of `factory` called with `arguments` if given, else those that the file makes itself.

    As the compiler's front end finds them: what the file makes when it is imported, else its only factory without
    arguments, else its prim_funcs, else what it makes when it runs as a program. `stopped` is raised by stand-ins for
    libraries. Raises RefusalError.
    """
    names = _execute(path, text, "kernel", stopped)
    if factory is None and arguments and len(RECORDER.factories) == 1:
        (factory,) = RECORDER.factories
    if factory is not None:
        return [_call(factory, arguments)]
    if not RECORDER.kernels:
        ready = [name for name, f in RECORDER.factories.items() if not _needed(f)]
        if len(ready) == 1:
            return [_call(ready[0], {})]
        functions = [(n, v) for n, v in names.items() if isinstance(v, PrimFunc)]
        RECORDER.kernels += [Kernel(function, name) for name, function in functions]
    if not RECORDER.kernels:
        _execute(path, text, "__main__", stopped)
    if not RECORDER.kernels:
        raise _nothing()
    return RECORDER.kernels


def _execute(path: str, text: str, name: str, stopped: type[BaseException]) -> dict[str, Any]:
    names: dict[str, Any] = {"__name__": name, "__file__": path}
    try:
        with contextlib.suppress(HostReached, SystemExit):
            exec(compile(text, path, "exec", dont_inherit=True), names)
    except stopped as error:
        RECORDER.computed = RECORDER.computed or _line_of(error, path)
    except (AttributeError, RuntimeError) as error:
        # With the real torch, which has no NPU.
        if not _wants_npu(error) or not (RECORDER.kernels or RECORDER.factories):
            raise
    return names


def _line_of(error: BaseException, path: str) -> int:
    lines = [f.lineno for f in traceback.extract_tb(error.__traceback__) if f.filename == path]
    return (lines or [0])[-1] or 0


def _wants_npu(error: BaseException) -> bool:
    return "npu" in str(error).lower()


def _call(name: str, arguments: Mapping[str, Any]) -> Kernel:
    if name not in RECORDER.factories:
        known = ", ".join(RECORDER.factories) or "none"
        raise unsuitable(f"there is no function `{name}` under tilelang.jit; there is: {known}")
    function = RECORDER.factories[name]
    missing = [n for n in _needed(function) if n not in arguments]
    if missing:
        raise unsuitable(f"{name} needs a value for {', '.join(missing)}", _line(function))
    return function(**arguments)


def _needed(function: Callable[..., Any]) -> list[str]:
    empty = inspect.Parameter.empty
    parameters = inspect.signature(function).parameters.values()
    variadic = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return [p.name for p in parameters if p.default is empty and p.kind not in variadic]


def _nothing() -> RefusalError:
    for name, function in RECORDER.factories.items():
        needed = _needed(function)
        if needed:
            return unsuitable(f"{name} needs a value for {', '.join(needed)}", _line(function))
    if RECORDER.factories:
        return unsuitable(f"more than one kernel: {', '.join(RECORDER.factories)}; say which one")
    return unsuitable("the file has no function under tilelang.jit and no T.prim_func")


def _line(function: Callable[..., Any]) -> int:
    return int(inspect.unwrap(function).__code__.co_firstlineno)


def described(kernel: Kernel, between: Mapping[str, int]) -> dict[str, Any]:
    """Its name, tensors and options; of the tensors `between` the cores there is one for each stage."""
    return {
        "name": kernel.name,
        "tensors": [_described(tensor, between) for tensor in kernel.function.tensors],
        "out_idx": kernel.options.get("out_idx"),
        "workspace_idx": kernel.options.get("workspace_idx"),
    }


def _described(tensor: Buffer, between: Mapping[str, int]) -> dict[str, Any]:
    stages = [between[tensor.name]] if tensor.name in between else []
    shape = [getattr(n, "name", str(n)) if isinstance(n, Expression) else n for n in tensor.shape]
    return {"name": tensor.name, "dtype": tensor.dtype, "shape": [*stages, *shape]}


def tensors(
    kernel: Kernel,
    resolved: Sequence[Buffer],
    between: Mapping[str, int],
    make: Callable[..., Any],
) -> list[Any]:
    """For the tape."""
    workspaces = kernel.options.get("workspace_idx")
    indices = [workspaces] if isinstance(workspaces, int) else workspaces or []
    places = {i % len(resolved) for i in indices}
    found = []
    for i, tensor in enumerate(resolved):
        dtype = "uint8" if tensor.dtype == "bool" else tensor.dtype
        role = "workspace" if i in places else "inout"
        elements = tensor.elements * between.get(tensor.name, 1)
        found.append(make(tensor.name, dtype, role, elements * BYTES[tensor.dtype]))
    return found
