"""The A tree's `tilelang` for a script: calling a compiled kernel asks the process that has the model to run it.

Nothing of the kernel is looked at here: the factory's name and arguments go to the compiler, which executes the file
once more.
"""

from __future__ import annotations

import functools
import inspect
import math
import re
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

from gen.check.foreign.script_host import absent
from gen.check.foreign.script_host.channel import Channel, KernelError, finished, is_tensor

PLATFORM = "A3"


class Kernel:
    """What a factory under `tilelang.jit` gives back."""

    def __init__(
        self, channel: Channel, name: str, arguments: dict[str, Any], names: dict[str, Any]
    ) -> None:
        self._channel = channel
        self._asked = {
            "function": name,
            "arguments": arguments,
            "names": names,
            "argv": sys.argv[1:],
        }
        self._names: dict[str, list[str]] | None = None

    def _compiled(self) -> dict[str, Any]:
        if self._names is None:
            self._names = self._channel.ask({"kind": "compile", **self._asked})
        return self._names

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        names = self._compiled()
        tensors = [*args, *kwargs.values()]
        if not all(is_tensor(t) for t in tensors):
            raise KernelError("the kernel is called with something that is no tensor")
        if len(tensors) != len(names["takes"]):
            message = f"the kernel takes {len(names['takes'])} tensors, it is given {len(tensors)}"
            raise TypeError(message)
        given = dict(zip(names["takes"], tensors, strict=True))
        return finished(self._channel, {"kind": "call", **self._asked}, given, names["returns"])

    def get_kernel_source(self) -> str:
        """What the compiler emits."""
        return str(self._compiled()["source"])

    def get_profiler(self, *_: Any, **__: Any) -> Any:
        """Something that measures nothing."""
        return absent.Absent("profiler")


class _Factory:
    def __init__(self, channel: Channel, function: Callable[..., Any]) -> None:
        functools.update_wrapper(self, function)
        self._channel, self._function = channel, function

    def __call__(self, *args: Any, **kwargs: Any) -> Kernel:
        bound = inspect.signature(self._function).bind(*args, **kwargs)
        arguments = {name: _plain(name, value) for name, value in bound.arguments.items()}
        return Kernel(self._channel, self._function.__name__, arguments, self._names())

    def _names(self) -> dict[str, Any]:
        """Numbers and words of the module that the function's text names, as they are now."""
        used = set(re.findall(r"[^\W\d]\w*", inspect.getsource(self._function)))
        module = self._function.__globals__
        return {
            n: v for n, v in module.items() if n in used and isinstance(v, bool | int | float | str)
        }


def _plain(name: str, value: Any) -> Any:
    """An argument as it can be sent."""
    if isinstance(value, list | tuple):
        return [_plain(name, part) for part in value]
    if isinstance(value, bool | int | float | str) or value is None:
        return value
    if isinstance(value, absent.Absent) or str(value).startswith("torch."):
        return str(value).removeprefix("torch.")
    raise KernelError(f"the argument `{name}` is a {type(value).__name__}")


def install(channel: Channel) -> None:
    """Makes `import tilelang` find this."""

    def jit(function: Any = None, **_: Any) -> Any:
        if function is None:
            return jit
        return _Factory(channel, function)

    def compile(_: Any, **__: Any) -> Any:
        raise KernelError("the kernel is made by tilelang.compile, not under tilelang.jit")

    def prepare(module: ModuleType) -> None:
        known: dict[str, Callable[..., Any]] = {}
        if module.__name__ == "tilelang":
            known = {"jit": jit, "compile": compile}
        elif module.__name__ == "tilelang.profiler":
            known = {"do_bench": do_bench}
        elif module.__name__ == "tilelang.utils.target":
            known = {
                "determine_platform": lambda *_: PLATFORM,
                "check_npu_availability": lambda: True,
            }
        for name, value in known.items():
            setattr(module, name, value)

    absent.install(["tilelang", "tvm"], prepare)


class Measured(float):
    """What a measurement gives back: milliseconds, or a record of its parts (`msprof_detail`). Nothing is measured."""

    def __getattr__(self, name: str) -> float:
        if name.startswith("__"):
            raise AttributeError(name)
        return math.nan

    def tflops(self, _: float) -> float:
        """Work per time."""
        return math.nan


def do_bench(function: Callable[[], Any], *_: Any, **__: Any) -> Measured:
    """Makes the call, once."""
    function()
    return Measured(math.nan)
