"""What a file does with a kernel when it is imported: it is recorded, not called."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, NoReturn

from .function import PrimFunc


class HostReached(BaseException):
    """The file goes on to call a kernel, or needs numbers of a library that is not here."""


def reached() -> NoReturn:
    """Ends the execution of the file."""
    raise HostReached


@dataclass
class Kernel:
    """A prim_func with the options of the `tilelang.jit` or `tilelang.compile` that made it."""

    function: PrimFunc
    name: str
    options: dict[str, Any] = field(default_factory=dict)

    def get_kernel_source(self) -> str:
        """Host code may print it."""
        return ""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        reached()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        reached()


class Recorder:
    """The kernels and factories of a file."""

    def __init__(self) -> None:
        self.kernels: list[Kernel] = []
        self.factories: dict[str, Callable[..., Kernel]] = {}
        self.computed = 0
        """The line at which the file computes with a library that is not here."""

    def clear(self) -> None:
        """Forgets all."""
        self.kernels.clear()
        self.factories.clear()
        self.computed = 0

    def jit(self, function: Any = None, **options: Any) -> Any:
        """`@tilelang.jit`, with and without options."""
        if function is None:
            return functools.partial(self.jit, **options)
        if isinstance(function, PrimFunc):
            raise ValueError("Use tilelang.jit to decorate prim_func is not supported yet.")

        @functools.wraps(function)
        def factory(*args: Any, **kwargs: Any) -> Kernel:
            return self.record(function(*args, **kwargs), function.__name__, options)

        factory.__jit_impl__ = SimpleNamespace(**{"target": "auto", **options})  # type: ignore[attr-defined]
        self.factories[function.__name__] = factory
        return factory

    def compile(self, function: Any, **options: Any) -> Kernel:
        """`tilelang.compile(prim_func, …)`."""
        return self.record(function, getattr(function, "name", "kernel"), options)

    def record(self, function: Any, name: str, options: dict[str, Any]) -> Kernel:
        """Keeps a kernel."""
        if not isinstance(function, PrimFunc):
            raise TypeError(f"{name} returned {type(function).__name__}, not a prim_func")
        kernel = Kernel(function, name, options)
        self.kernels.append(kernel)
        return kernel


RECORDER = Recorder()
