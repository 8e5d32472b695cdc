"""The M tree's `tilelang` for a script: the installed one traces and lowers, the launch goes to the model."""

from __future__ import annotations

import contextlib
import importlib
import math
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from gen.check.foreign.script_host import absent
from gen.check.foreign.script_host.a_tree import do_bench
from gen.check.foreign.script_host.channel import (
    Channel,
    OtherTargetError,
    finished,
    is_tensor,
)
from gen.compile import m_tree

TARGET = "ascend"


class Kernel:
    """A prim_func that is lowered for the model when it is called: numbers and run-time extents are known then."""

    def __init__(
        self, channel: Channel, compiler: Any, function: Any, out_idx: Any, options: dict[str, Any]
    ) -> None:
        self.prim_func, self._channel = function, channel
        self._compiler, self._options = compiler, options
        self._parameters = {_name(function, p): p for p in function.params}
        marked = [int(i) for i in (function.attrs.get("tilelang_out_idx") or [])]
        indices = [out_idx] if isinstance(out_idx, int) else list(out_idx or marked)
        names = list(self._parameters)
        self._returns = [names[i] for i in indices]
        self._takes = [name for name in names if name not in self._returns]
        self._lowered: dict[str, dict[str, Any]] = {}

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        values = [*args, *kwargs.values()]
        wanted, returned = self._takes, self._returns
        if returned and len(values) == len(wanted) + len(returned):
            wanted, returned = list(self._parameters), []
        if len(values) != len(wanted):
            raise TypeError(f"the kernel takes {len(wanted)} arguments, it is given {len(values)}")
        given = dict(zip(wanted, values, strict=True))
        reply = self._lower(given)
        kept = {t["name"] for t in reply["tensors"]}
        tensors = {n: v for n, v in given.items() if is_tensor(v) and n in kept}
        asked = {"kind": "call", "lowered": reply, "function": reply["function"]}
        return finished(self._channel, asked, tensors, returned)

    def _lower(self, given: dict[str, Any]) -> dict[str, Any]:
        """The device source for these arguments."""
        tirx = importlib.import_module("tvm.tirx")
        function, known = self.prim_func, {}
        for name, value in given.items():
            parameter = self._parameters[name]
            if is_tensor(value):
                buffer = function.buffer_map[parameter]
                if any(isinstance(n, tirx.Var) for n in buffer.shape):
                    shape = tuple(value.shape)
                    strides = [math.prod(shape[n + 1 :]) for n in range(len(buffer.strides))]
                    known[parameter] = tirx.decl_buffer(
                        shape, buffer.dtype, name, strides=strides or None
                    )
            else:
                known[parameter] = tirx.const(value, parameter.dtype)
        key = str({n: tuple(v.shape) if is_tensor(v) else v for n, v in given.items()})
        if key not in self._lowered:
            special = function.specialize(known) if known else function
            self._lowered[key] = self._reply(special)
        return self._lowered[key]

    def _reply(self, function: Any) -> dict[str, Any]:
        path = str(sys.modules["__main__"].__file__)
        reply: dict[str, Any] = self._compiler.lower_function(
            function, self._options, path, lambda _: None
        )
        return reply

    def get_kernel_source(self, *_: Any, **__: Any) -> str:
        """The device source; nothing where it depends on what the kernel is called with."""
        with contextlib.suppress(Exception):
            return str(self._reply(self.prim_func)["source"])
        return ""

    def get_host_source(self) -> str:
        """Host code may print it."""
        return ""

    def get_profiler(self, *_: Any, **__: Any) -> Any:
        """Something that measures nothing."""
        return absent.Absent("profiler")


def _name(function: Any, parameter: Any) -> str:
    return str(function.buffer_map.get(parameter, parameter).name)


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
        if TARGET not in wanted and wanted not in ("asc", "auto"):
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
