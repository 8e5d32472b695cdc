"""`T.tile`: operations on tiles in UB. The destination comes first."""

from __future__ import annotations

from typing import Any

from ..interp.atomic import atomic_add
from ..interp.experiments import (
    abs_experiment,
    block_reduce_max,
    block_reduce_min,
    block_reduce_sum,
    brcb_experiment,
    fill_experiment,
    mins_experiment,
    reduce_sum_experiment,
    row_expand_div_experiment,
    row_expand_mul,
    row_expand_mul_experiment,
    row_expand_sub_experiment,
    sub_experiment,
    sum_experiment,
    wholereducemax,
    wholereducemin,
    wholereducesum,
)
from ..interp.refusal import unsupported
from ..interp.selection import compare, select
from ..interp.shapes import broadcast, gather, gather_mask, transpose
from ..interp.sorting import gatherb, init_sort_buf, merge_sort, sort, sort32, topk
from ..interp.tile_arithmetic import (
    abs,
    add,
    axpy,
    bitwise_and,
    bitwise_lshift,
    bitwise_not,
    bitwise_or,
    bitwise_rshift,
    bitwise_xor,
    div,
    exp,
    leaky_relu,
    ln,
    max,
    min,
    mul,
    mul_add_dst,
    reciprocal,
    relu,
    rsqrt,
    sqrt,
    sub,
)
from ..interp.tile_fills import arith_progression, cast, clear, createvecindex, fill
from ..interp.tile_functions import clamp, clamp_max, clamp_min, cos, pow, round, sigmoid, silu, sin

__all__ = [
    "abs",
    "abs_experiment",
    "add",
    "arith_progression",
    "atomic_add",
    "axpy",
    "bitwise_and",
    "bitwise_lshift",
    "bitwise_not",
    "bitwise_or",
    "bitwise_rshift",
    "bitwise_xor",
    "block_reduce_max",
    "block_reduce_min",
    "block_reduce_sum",
    "brcb_experiment",
    "broadcast",
    "cast",
    "clamp",
    "clamp_max",
    "clamp_min",
    "clear",
    "compare",
    "cos",
    "createvecindex",
    "div",
    "exp",
    "fill",
    "fill_experiment",
    "gather",
    "gather_mask",
    "gatherb",
    "init_sort_buf",
    "leaky_relu",
    "ln",
    "max",
    "merge_sort",
    "min",
    "mins_experiment",
    "mul",
    "mul_add_dst",
    "pow",
    "reciprocal",
    "reduce_sum_experiment",
    "relu",
    "round",
    "row_expand_div_experiment",
    "row_expand_mul",
    "row_expand_mul_experiment",
    "row_expand_sub_experiment",
    "rsqrt",
    "select",
    "sigmoid",
    "silu",
    "sin",
    "sort",
    "sort32",
    "sqrt",
    "sub",
    "sub_experiment",
    "sum_experiment",
    "topk",
    "transpose",
    "wholereducemax",
    "wholereducemin",
    "wholereducesum",
]


def __getattr__(name: str) -> Any:
    if name in ("bilinear_interpolation", "gathermask_experiment",
                "reduce_sum_mask_experiment", "datacachecleanandinvalid_experiment"):  # fmt: skip
        raise unsupported(f"T.tile.{name}")
    raise AttributeError(f"module 'tilelang.language.ascend_tile' has no attribute {name!r}")
