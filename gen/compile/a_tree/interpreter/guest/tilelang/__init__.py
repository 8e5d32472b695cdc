"""Stands in for tilelang-ascend where a kernel file runs as ordinary Python."""

from __future__ import annotations

from typing import Any

from . import language
from .interp.host import RECORDER, Kernel

__version__ = "0.1.4"
__all__ = [
    "JITKernel",
    "PassConfigKey",
    "cache",
    "compile",
    "disable_cache",
    "enable_cache",
    "jit",
    "language",
]

jit = RECORDER.jit
compile = RECORDER.compile
JITKernel = Kernel


class _Keys:
    """Options of the compiler by their names, e.g. TL_ASCEND_AUTO_SYNC."""

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


def set_log_level(level: Any) -> None:
    """Nothing is logged."""
    del level
