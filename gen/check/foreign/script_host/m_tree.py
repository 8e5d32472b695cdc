"""The M tree's `tilelang` for a script: the installed one traces and lowers, the launch goes to the model."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from gen.check.foreign.script_host import absent
from gen.check.foreign.script_host.a_tree import do_bench
from gen.check.foreign.script_host.channel import (
    Channel,
    KernelError,
    OtherTargetError,
    finished,
    is_tensor,
)
from gen.compile import m_tree

TARGET = "ascend"


class Kernel:
    """A prim_func that was lowered for the model."""

    def __init__(
        self, channel: Channel, compiler: Any, function: Any, out_idx: Any, options: dict[str, Any]
    ) -> None:
        self.prim_func, self._channel = function, channel
        path = str(sys.modules["__main__"].__file__)
        self._reply = compiler.lower_function(function, options, path, lambda _: None)
        names = [t["name"] for t in self._reply["tensors"]]
        marked = [t["name"] for t in self._reply["tensors"] if t["output"]]
        indices = [out_idx] if isinstance(out_idx, int) else list(out_idx or [])
        self._returns = [names[i] for i in indices] or marked
        self._takes = [name for name in names if name not in self._returns]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        tensors = [*args, *kwargs.values()]
        if len(tensors) == len(self._takes) + len(self._returns) and self._returns:
            given = dict(zip([*self._takes, *self._returns], tensors, strict=True))
            return self._run(given, [])
        if not all(is_tensor(t) for t in tensors):
            raise KernelError("the kernel is called with something that is no tensor")
        if len(tensors) != len(self._takes):
            raise TypeError(
                f"the kernel takes {len(self._takes)} tensors, it is given {len(tensors)}"
            )
        return self._run(dict(zip(self._takes, tensors, strict=True)), self._returns)

    def _run(self, given: dict[str, Any], returned: list[str]) -> Any:
        asked = {"kind": "call", "lowered": self._reply, "function": self._reply["function"]}
        return finished(self._channel, asked, given, returned)

    def get_kernel_source(self, *_: Any, **__: Any) -> str:
        """The device source."""
        return str(self._reply["source"])

    def get_host_source(self) -> str:
        """Host code may print it."""
        return ""

    def get_profiler(self, *_: Any, **__: Any) -> Any:
        """Something that measures nothing."""
        return absent.Absent("profiler")


def install(channel: Channel) -> None:
    """Patches the installed tilelang: what it would hand to the device's compiler goes to the model."""
    folder = Path(m_tree.__file__).parent
    sys.path.insert(0, str(folder))
    try:
        worker = importlib.import_module("worker")
        compiler = worker.Compiler()
    finally:
        sys.path.remove(str(folder))
    tilelang: Any = importlib.import_module("tilelang")
    jit: Any = importlib.import_module("tilelang.jit")
    target = importlib.import_module("tilelang.ascend.target").normalize_ascend_target(TARGET)

    normalize: Any = importlib.import_module("tilelang.jit.kernel").normalize_pass_configs

    def compile(func: Any = None, out_idx: Any = None, *_: Any, **options: Any) -> Kernel:
        wanted = str(options.get("target") or TARGET)
        if TARGET not in wanted and wanted != "auto":
            raise OtherTargetError(f"unsupported: target {wanted}")
        config = normalize(options.get("pass_configs")) or {}
        return Kernel(channel, compiler, func, out_idx, dict(config))

    jit.compile = tilelang.compile = compile
    jit.determine_target = lambda *_, **__: target
    _one_language()
    tilelang.disable_cache()
    profiler: Any = importlib.import_module("tilelang.profiler")
    profiler.do_bench = do_bench


def _one_language() -> None:
    """Older files write `import tilelang.language as T` where tilelang 0.1.15 has `tilelang.ascend.language`."""
    language: Any = importlib.import_module("tilelang.language")
    ascend: Any = importlib.import_module("tilelang.ascend.language")
    for name, value in vars(ascend).items():
        module = isinstance(value, ModuleType)
        if not (name.startswith("_") or (module and hasattr(language, name))):
            setattr(language, name, value)
