"""Stand-ins for what tilelang-ascend imports and lowering does not use: torch, and the adapter that calls bisheng.

`import torch` costs 14 s under emulation and 445 MB; the adapter wants Cython and a C++ compiler at import.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

FLOATS = ("bfloat16", "float16", "float32", "float64")
FLOATS_8 = ("float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz")
INTEGERS = ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
MODULES = ("torch.utils", "torch.utils.dlpack", "torch.npu", "torch.cuda", "torch_npu")


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


def install() -> None:
    """Puts the stand-ins where `import` finds them."""
    torch = Absent("torch")
    torch.__path__ = []
    sys.modules["torch"] = torch
    for name in (*FLOATS, *FLOATS_8, *INTEGERS, "Tensor", "device", "dtype"):
        setattr(torch, name, type(name, (), {"__module__": "torch"}))
    for name in MODULES:
        module = Absent(name)
        module.__path__ = []
        sys.modules[name] = module
        parent, _, child = name.rpartition(".")
        if parent:
            setattr(sys.modules[parent], child, module)
    adapter = ModuleType("tilelang.jit.adapter.cython")
    adapter.CythonKernelAdapter = type("CythonKernelAdapter", (), {})  # type: ignore[attr-defined]
    sys.modules[adapter.__name__] = adapter
