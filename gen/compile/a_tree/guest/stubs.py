"""Stand-ins for what tilelang-ascend imports and lowering does not use: torch, and the adapter that calls bisheng.

`import torch` costs 14 s under emulation and 445 MB; the adapter wants Cython and a C++ compiler at import.
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import sys
from collections.abc import Sequence
from types import ModuleType
from typing import Any

ABSENT = ("torch", "torch_npu")
FLOATS = ("bfloat16", "float16", "float32", "float64")
FLOATS_8 = ("float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz")
INTEGERS = ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")


class HostReached(BaseException):
    """The file goes on to use a kernel, or numbers of a library that is not here: what can be recorded, was."""


class Absent(ModuleType):
    """A module, function or object of a library that is not here: every attribute and result is another one."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        child = Absent(f"{self.__name__}.{name}")
        setattr(self, name, child)
        return child

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return Absent(f"{self.__name__}()")


def _reached(*args: Any, **kwargs: Any) -> Any:
    raise HostReached


OPERATIONS = "getitem setitem iter len float int index neg invert lt le gt ge and or enter"
ARITHMETIC = "add radd sub rsub mul rmul truediv rtruediv matmul rmatmul pow rpow"
for _name in (*OPERATIONS.split(), *ARITHMETIC.split()):
    setattr(Absent, f"__{_name}__", _reached)


class Placeholder:
    """A class of such a library."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        pass


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports any module of the absent libraries."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname.partition(".")[0] not in ABSENT:
            return None
        return importlib.machinery.ModuleSpec(fullname, self, is_package=True)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        return Absent(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        if module.__name__ == "torch":
            for name in (*FLOATS, *FLOATS_8, *INTEGERS, "Tensor", "device", "dtype"):
                setattr(module, name, type(name, (Placeholder,), {"__module__": "torch"}))


def install() -> None:
    """Puts the stand-ins where `import` finds them."""
    sys.meta_path.append(Finder())
    adapter = ModuleType("tilelang.jit.adapter.cython")
    adapter.CythonKernelAdapter = type("CythonKernelAdapter", (), {})  # type: ignore[attr-defined]
    sys.modules[adapter.__name__] = adapter
