"""Runs a kernel file and records the kernels that it makes, instead of compiling them for a device."""

from __future__ import annotations

import contextlib
import functools
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import tilelang
from stubs import HostReached  # type: ignore[import-not-found]
from tilelang import tvm


@dataclass
class Kernel:
    """A prim_func with the options of the `tilelang.jit` (or `tilelang.compile`) that made it."""

    function: Any
    name: str
    options: dict[str, Any] = field(default_factory=dict)

    def get_kernel_source(self) -> str:
        """Host code may print it."""
        return ""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise HostReached

    def __getattr__(self, name: str) -> Any:
        raise HostReached


class UnsuitableError(Exception):
    """The file makes no kernel, or needs arguments to make one; `line` 0 means the whole file."""

    def __init__(self, message: str, line: int = 0) -> None:
        super().__init__(message)
        self.line = line


class Recorder:
    """Takes the place of `tilelang.jit` and `tilelang.compile`."""

    def __init__(self) -> None:
        self.kernels: list[Kernel] = []
        self.factories: dict[str, Callable[..., Kernel]] = {}

    def install(self) -> None:
        """Patches tilelang before the file imports it."""
        tilelang.jit = self.jit
        tilelang.compile = self.compile

    def jit(self, function: Any = None, **options: Any) -> Any:
        """`@tilelang.jit` and `@tilelang.jit(out_idx=…)`."""
        if function is None:
            return functools.partial(self.jit, **options)

        @functools.wraps(function)
        def factory(*args: Any, **kwargs: Any) -> Kernel:
            return self._record(function(*args, **kwargs), function.__name__, options)

        factory.__jit_impl__ = SimpleNamespace(**{"target": "auto", **options})  # type: ignore[attr-defined]
        self.factories[function.__name__] = factory
        return factory

    def compile(self, function: Any, **options: Any) -> Kernel:
        """`tilelang.compile(prim_func, …)`."""
        return self._record(function, str(function.attrs["global_symbol"]), options)

    def _record(self, function: Any, name: str, options: dict[str, Any]) -> Kernel:
        if not isinstance(function, tvm.tir.PrimFunc):
            raise TypeError(f"{name} returned {type(function).__name__}, not a prim_func")
        kernel = Kernel(function, name, options)
        self.kernels.append(kernel)
        return kernel


def record(path: Path, factory: str | None, arguments: Mapping[str, Any]) -> list[Kernel]:
    """The kernels of a file: of `factory` called with `arguments` if given, else those that the file makes itself.

    `arguments` without a `factory` are for the only one that the file has. A file that makes no kernel when imported
    is asked for one: its only factory that needs no argument, then what it does when run as a program. Raises
    UnsuitableError where there is none, and whatever the file raises.
    """
    recorder = Recorder()
    recorder.install()
    names = _execute(path, "kernel")
    if factory is None and arguments and len(recorder.factories) == 1:
        (factory,) = recorder.factories
    if factory is not None:
        return [_call(recorder, factory, arguments)]
    if not recorder.kernels:
        ready = [name for name, f in recorder.factories.items() if not _needed(f)]
        if len(ready) == 1:
            return [_call(recorder, ready[0], {})]
        functions = [n for n, v in names.items() if isinstance(v, tvm.tir.PrimFunc)]
        recorder.kernels += [Kernel(names[name], name) for name in functions]
    if not recorder.kernels:
        _execute(path, "__main__")
    if not recorder.kernels:
        raise _nothing(recorder)
    return recorder.kernels


def _execute(path: Path, name: str) -> dict[str, Any]:
    text = path.read_text("utf-8")
    names: dict[str, Any] = {"__name__": name, "__file__": str(path)}
    with contextlib.suppress(HostReached, SystemExit):
        exec(compile(text, str(path), "exec", dont_inherit=True), names)
    return names


def _call(recorder: Recorder, name: str, arguments: Mapping[str, Any]) -> Kernel:
    if name not in recorder.factories:
        known = ", ".join(recorder.factories) or "none"
        raise UnsuitableError(
            f"there is no function `{name}` under tilelang.jit; there is: {known}"
        )
    function = recorder.factories[name]
    missing = [n for n in _needed(function) if n not in arguments]
    if missing:
        raise UnsuitableError(f"{name} needs a value for {', '.join(missing)}", _line(function))
    return function(**arguments)


def _needed(function: Callable[..., Any]) -> list[str]:
    empty = inspect.Parameter.empty
    parameters = inspect.signature(function).parameters.values()
    variadic = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return [p.name for p in parameters if p.default is empty and p.kind not in variadic]


def _nothing(recorder: Recorder) -> UnsuitableError:
    for name, function in recorder.factories.items():
        needed = _needed(function)
        if needed:
            return UnsuitableError(f"{name} needs a value for {', '.join(needed)}", _line(function))
    if recorder.factories:
        return UnsuitableError(
            f"more than one kernel: {', '.join(recorder.factories)}; say which one"
        )
    return UnsuitableError("the file has no function under tilelang.jit and no T.prim_func")


def _line(function: Callable[..., Any]) -> int:
    return int(inspect.unwrap(function).__code__.co_firstlineno)
