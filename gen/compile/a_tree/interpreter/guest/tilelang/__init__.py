"""Stands in for tilelang-ascend where a kernel file runs as ordinary Python."""

from __future__ import annotations

from typing import Any

from . import language, math
from .interp.buffer import BYTES, dtype_name
from .interp.host import RECORDER, Kernel

__version__ = "0.1.4"
__all__ = [
    "DataType",
    "JITKernel",
    "PassConfigKey",
    "autotune",
    "cache",
    "compile",
    "disable_cache",
    "enable_cache",
    "jit",
    "language",
    "math",
]

cdiv, next_power_of_2 = math.cdiv, math.next_power_of_2
jit = RECORDER.jit
compile = RECORDER.compile
JITKernel = Kernel


class _Keys:
    """Options of the compiler by their names, e.g. TL_ASCEND_AUTO_SYNC."""

    TL_ASCEND_AUTO_CV_SYNC = "tl.ascend_auto_cross_core_sync"

    def __getattr__(self, name: str) -> str:
        if name.startswith("__"):
            raise AttributeError(name)
        prefix, _, rest = name.partition("_")
        return f"{prefix.lower()}.{rest.lower()}"


PassConfigKey = _Keys()


class _Cache:
    """tilelang.cache: nothing is kept."""

    def clear_cache(self) -> None:
        """Nothing to do."""


cache = _Cache()


def disable_cache() -> None:
    """Nothing is kept."""


def enable_cache() -> None:
    """Nothing is kept."""


def autotune(function: Any = None, **options: Any) -> Any:
    """`@tilelang.autotune`: nothing is measured here, the kernel is made with the arguments that it is given."""
    return (lambda given: given) if function is None else function


def set_log_level(level: Any) -> None:
    """Nothing is logged."""
    del level


class DataType:
    """A number format by its name: `bits` and `lanes`."""

    lanes = 1

    def __init__(self, name: Any) -> None:
        self.name = dtype_name(name)
        self.bits = BYTES[self.name] * 8

    def __str__(self) -> str:
        return self.name


_MODULES = (
    "autotuner",
    "carver",
    "engine",
    "profiler",
    "testing",
    "tools",
    "transform",
    "tvm",
    "utils",
)


def __getattr__(name: str) -> Any:
    """Modules that are no part of the language."""
    if name in _MODULES:
        import importlib

        return importlib.import_module(f"tilelang.{name}")
    raise AttributeError(f"module 'tilelang' has no attribute {name!r}")
