"""The language of kernels: `import tilelang.language as T`."""

from __future__ import annotations

from typing import Any

from ..interp.arithmetic import (
    cast,
    ceildiv,
    converter,
    floordiv,
    floormod,
    function,
    if_then_else,
    infinity,
    truncdiv,
    truncmod,
)
from ..interp.arithmetic import logical_and as And  # noqa: N812
from ..interp.arithmetic import logical_not as Not  # noqa: N812
from ..interp.arithmetic import logical_or as Or  # noqa: N812
from ..interp.arithmetic import maximum as max
from ..interp.arithmetic import minimum as min
from ..interp.arithmetic import select as Select  # noqa: N812
from ..interp.copy import copy
from ..interp.debug import dump_tensor, printf
from ..interp.function import func_attr, macro, prim_func
from ..interp.launch import (
    CoreScope as Scope,
)
from ..interp.launch import (
    Kernel,
    alloc_fragment,
    alloc_L0A,
    alloc_L0B,
    alloc_L0C,
    alloc_L1,
    alloc_shared,
    alloc_ub,
    annotate_address,
)
from ..interp.loops import parallel_loop as Parallel  # noqa: N812
from ..interp.loops import persistent as Persistent  # noqa: N812
from ..interp.loops import serial, unroll
from ..interp.matrix import gemm_v0, mma
from ..interp.proxies import Extent
from ..interp.proxies import tensor_type as Buffer  # noqa: N812
from ..interp.proxies import tensor_type as Tensor  # noqa: N812
from ..interp.reduce import reduce_max, reduce_min, reduce_sum
from ..interp.refusal import RefusalError, unsupported
from ..interp.staged import pipelined as Pipelined  # noqa: N812
from ..interp.swizzle import use_swizzle
from ..interp.sync import (
    barrier_all,
    pipe_barrier,
    set_cross_flag,
    set_flag,
    sync_all,
    wait_cross_flag,
    wait_flag,
)
from ..interp.variables import alloc_var, loop_break
from . import tile

__all__ = [
    "And",
    "Buffer",
    "Extent",
    "Kernel",
    "Not",
    "Or",
    "Parallel",
    "Persistent",
    "Pipelined",
    "Scope",
    "Select",
    "Tensor",
    "alloc_L0A",
    "alloc_L0B",
    "alloc_L0C",
    "alloc_L1",
    "alloc_fragment",
    "alloc_shared",
    "alloc_ub",
    "alloc_var",
    "annotate_address",
    "barrier_all",
    "bool",
    "cast",
    "ceildiv",
    "copy",
    "dump_tensor",
    "float16",
    "float32",
    "floordiv",
    "floormod",
    "func_attr",
    "gemm_v0",
    "if_then_else",
    "infinity",
    "int8",
    "int16",
    "int32",
    "int64",
    "loop_break",
    "macro",
    "max",
    "min",
    "mma",
    "pipe_barrier",
    "prim_func",
    "printf",
    "reduce_max",
    "reduce_min",
    "reduce_sum",
    "serial",
    "set_cross_flag",
    "set_flag",
    "symbolic",
    "sync_all",
    "tile",
    "truncdiv",
    "truncmod",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "unroll",
    "use_swizzle",
    "wait_cross_flag",
    "wait_flag",
]  # fmt: skip

float16 = converter("float16")
bfloat16 = converter("bfloat16")
float32 = converter("float32")
int8, int16, int32, int64 = (converter(f"int{n}") for n in (8, 16, 32, 64))
uint8, uint16, uint32, uint64 = (converter(f"uint{n}") for n in (8, 16, 32, 64))
exp, log, sqrt, rsqrt, abs = (function(n) for n in ("exp", "log", "sqrt", "rsqrt", "abs"))
bool = converter("bool")


def symbolic(name: str, dtype: str = "int32") -> Extent:
    """An extent that is known when the kernel is called."""
    del dtype
    return Extent(name)


_LATER = (
    "annotate_layout", "annotate_padding", "attr", "block", "clear_flag", "init_flag",
    "reinterpretcast", "set_deq_scale", "shmem_get_nbi", "shmem_put_nbi", "shmem_ub_get_nbi", "shmem_ub_put_nbi",
    "import_source", "view", "vectorized", "thread_binding", "match_buffer",
    "ptr", "make_tensor", "evaluate", "reduce",
)  # fmt: skip


def __getattr__(name: str) -> Any:
    if name == "alloc_local":
        raise RefusalError(
            "'T.alloc_local' is no longer supported and has been removed",
            "use T.alloc_ub, T.alloc_L1 or T.alloc_L0C",
        )
    if name in _LATER:
        raise unsupported(f"T.{name}")
    raise AttributeError(f"module 'tilelang.language' has no attribute {name!r}")
