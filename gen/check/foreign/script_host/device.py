"""torch on a host that has no NPU: what is asked for there is made on the CPU. The script's checks are counted."""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from types import ModuleType
from typing import Any

import torch
from torch.overrides import TorchFunctionMode

from gen.check.foreign.script_checks import COMPARISONS
from gen.check.foreign.script_host import absent

_DEVICES = ("npu", "cuda", "privateuseone")


class Checks:
    """How often the script compared numbers, and what it found unequal without stopping."""

    def __init__(self) -> None:
        self.made = 0
        self.failed: list[str] = []

    def counted(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """`function`, counted; one that gives back whether numbers are equal is listened to."""

        @functools.wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            self.made += 1
            result = function(*args, **kwargs)
            if result is False:
                self.failed.append(name)
            return result

        return call


class _OnHost(TorchFunctionMode):  # type: ignore[misc]  # torch is looked at where it is installed only
    def __torch_function__(
        self, func: Any, types: Any, args: Any = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        if func in _PRODUCTS and not kwargs and _sixteen_bits(args):
            return _cube_product(*args)
        given = {k: _host(v) if k == "device" else v for k, v in (kwargs or {}).items()}
        made = func(*(_host(a) for a in args), **given)
        return _filled(made) if func in _UNFILLED and "out" not in given else made


_UNFILLED = frozenset(
    {
        torch.empty,
        torch.empty_like,
        torch.empty_strided,
        torch.Tensor.new_empty,
        torch.Tensor.new_empty_strided,
    }
)


_PRODUCTS = frozenset({torch.matmul, torch.mm, torch.Tensor.matmul, torch.Tensor.mm})
_PRODUCTS |= {torch.Tensor.__matmul__}
_LARGEST_PRODUCT = 1 << 32


def _sixteen_bits(args: tuple[Any, ...]) -> bool:
    """Whether these are two matrices of one type of 16 bits, of a size that the host multiplies in seconds."""
    if len(args) != 2 or not all(isinstance(a, torch.Tensor) and a.dim() == 2 for a in args):
        return False
    a, b = args
    types = {a.dtype, b.dtype}
    fits = a.shape[1] == b.shape[0] and a.numel() * b.shape[1] <= _LARGEST_PRODUCT
    return fits and types in ({torch.float16}, {torch.bfloat16})


def _cube_product(a: Any, b: Any) -> Any:
    """Floats, added in the order of k and rounded to 16 bits once: scripts that compare such results to less than
    their last place take it that both come from the Cube. Another order of sums differs in the last place.
    """
    left, right = a.detach().float().T.contiguous(), b.detach().float()
    total = torch.zeros(a.shape[0], b.shape[1])
    for column, row in zip(left, right, strict=True):
        total.addr_(column, row)
    return total.to(a.dtype)


def _filled(tensor: Any) -> Any:
    """Memory that nobody has written, the same each time: as torch.use_deterministic_algorithms fills it."""
    if tensor.is_floating_point() or tensor.is_complex():
        return tensor.fill_(torch.nan)
    if tensor.dtype is torch.bool:
        return tensor.fill_(True)
    return tensor.fill_(torch.iinfo(tensor.dtype).max)


def _host(value: Any) -> Any:
    if isinstance(value, torch.device):
        return torch.device("cpu") if value.type in _DEVICES else value
    if isinstance(value, str) and value.partition(":")[0] in _DEVICES:
        return "cpu"
    return value


def install() -> Checks:
    """Patches torch, for as long as the process lives."""
    torch.utils.rename_privateuse1_backend("npu")
    torch.npu = _npu()
    torch.Tensor.npu = lambda self, *_, **__: self
    torch.Tensor.cuda = lambda self, *_, **__: self
    torch.Tensor.is_npu = True
    default = torch.set_default_device
    torch.set_default_device = lambda device: default(_host(device))
    _OnHost().__enter__()
    absent.install(["torch_npu"], _torch_npu)
    _define_operators()
    return _count_checks()


def _npu() -> Any:
    npu: Any = absent.Absent("torch.npu")
    npu.is_available = lambda: True
    npu.device_count = lambda: 1
    npu.current_device = lambda: 0
    npu.get_device_name = lambda *_: "Ascend910B"
    npu.Event = _Event
    return npu


class _Event:
    """Time does not pass on the model."""

    def __init__(self, *_: Any, **__: Any) -> None:
        pass

    def record(self, *_: Any) -> None:
        """Nothing to record."""

    def synchronize(self) -> None:
        """Nothing to wait for."""

    def elapsed_time(self, _: Any) -> float:
        """Milliseconds: none that could be measured."""
        return 1.0


def _torch_npu(module: ModuleType) -> None:
    """The reference functions of torch_npu that scripts compare with, by torch's own."""
    if module.__name__ != "torch_npu":
        return
    functional = torch.nn.functional
    known: dict[str, Callable[..., Any]] = {
        "npu_gelu_backward": lambda dy, x, approximate="none": (
            torch.ops.aten.gelu_backward(dy, x, approximate=approximate)
        ),
        "npu_gelu": lambda x, approximate="none": functional.gelu(x, approximate=approximate),
        "npu_swiglu": _swiglu,
        "npu_silu": functional.silu,
        "npu_rms_norm": _rms_norm,
        "npu_format_cast": lambda x, *_: x,
    }
    for name, function in known.items():
        setattr(module, name, function)


def _define_operators() -> None:
    """`torch.ops.npu`, as far as scripts compare with it."""
    library = torch.library.Library("npu", "DEF")
    library.define("npu_swiglu(Tensor self, int dim=-1) -> Tensor")
    library.define("npu_swiglu_backward(Tensor grad, Tensor self, int dim=-1) -> Tensor")
    library.impl("npu_swiglu", _swiglu, "CPU")
    library.impl("npu_swiglu_backward", _swiglu_backward, "CPU")
    _libraries.append(library)


_libraries: list[Any] = []
"""Operators live as long as the library that they were defined in."""


def _swiglu_backward(grad: Any, x: Any, dim: int = -1) -> Any:
    left, right = (part.float() for part in x.chunk(2, dim=dim))
    # The operator takes as much of `grad` as it needs, whatever its shape.
    wide = grad.reshape(-1)[: left.numel()].reshape(left.shape).float()
    sigmoid = torch.sigmoid(left)
    to_left = wide * right * sigmoid * (1 + left * (1 - sigmoid))
    return torch.cat([to_left, wide * left * sigmoid], dim=dim).to(x.dtype)


def _swiglu(x: Any, dim: int = -1) -> Any:
    left, right = (part.float() for part in x.chunk(2, dim=dim))
    return (torch.nn.functional.silu(left) * right).to(x.dtype)


def _rms_norm(x: Any, gamma: Any, epsilon: float = 1e-6) -> Any:
    wide = x.float()
    scale = torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + epsilon)
    return (wide * scale).to(x.dtype) * gamma, scale


def _count_checks() -> Checks:
    checks = Checks()
    for name, functions in COMPARISONS.items():
        module = importlib.import_module(name)
        for function in functions:
            if hasattr(module, function):
                listened = checks.counted(f"{name}.{function}", getattr(module, function))
                setattr(module, function, listened)
    return checks
