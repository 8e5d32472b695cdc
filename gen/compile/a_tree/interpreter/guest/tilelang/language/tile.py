"""`T.tile`: operations on tiles in UB. The destination comes first."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..interp.atomic import atomic_add
from ..interp.buffer import Element
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
from ..interp.expression import Held, HeldFloat
from ..interp.operand import Operand, operand
from ..interp.operation import Issued, count, is_number, operation, scalar
from ..interp.refusal import RefusalError, unsupported
from ..interp.selection import compare, select
from ..interp.session import session
from ..interp.shapes import broadcast, gather, gather_mask, transpose
from ..interp.templates import vectors

__all__ = [
    "abs_experiment", "atomic_add", "block_reduce_max", "block_reduce_min", "block_reduce_sum", "brcb_experiment",
    "broadcast", "compare", "fill_experiment", "gather", "gather_mask", "mins_experiment", "reduce_sum_experiment",
    "row_expand_div_experiment", "row_expand_mul", "row_expand_mul_experiment", "row_expand_sub_experiment", "select",
    "sub_experiment", "sum_experiment", "transpose", "wholereducemax", "wholereducemin", "wholereducesum",
]  # fmt: skip

ARITHMETIC = ("float32", "float16", "int16", "int32")
FLOATING = ("float32", "float16")
BITS = ("int16", "uint16")
SHIFTED = ("int16", "uint16", "int32", "uint32")


def same_size(name: str, *operands: Operand) -> int:
    """Elements of all. Raises RefusalError where they differ."""
    sizes = [o.size for o in operands]
    if len(set(sizes)) > 1:
        parts = " and ".join(f"{o.buffer.name} {o.size}" for o in operands)
        raise RefusalError(
            f"T.tile.{name} takes as many elements everywhere, and there are {parts}",
            "destination and source of a tile operation need as many elements",
        )
    return sizes[0]


def typed(name: str, dtypes: tuple[str, ...], *operands: Operand) -> None:
    """Raises RefusalError where the instruction does not exist for the type, or the types differ."""
    kinds = {o.dtype for o in operands}
    if len(kinds) > 1:
        parts = " and ".join(f"{o.buffer.name} {o.dtype}" for o in operands)
        raise RefusalError(
            f"T.tile.{name} takes one type, and there are {parts}", "T.tile.cast converts"
        )
    (kind,) = kinds
    if kind not in dtypes:
        raise RefusalError(
            f"T.tile.{name} does not exist for {kind} on 910B: {', '.join(dtypes)}",
            "T.tile.cast to float32 and back",
        )


def _unary(name: str, call: str, dtypes: tuple[str, ...]) -> Callable[[Any, Any], Issued]:
    def run(dst: Any, src0: Any) -> None:
        to, a = operand(dst, f"T.tile.{name}"), operand(src0, f"T.tile.{name}")
        now = session()
        if now.plan is not None:
            same_size(name, to, a)
            typed(name, dtypes, to, a)
            now.plan.touch(to.buffer, a.buffer)
            return
        now.core.emit(call, to.view, a.view, to.size)

    run.__name__ = name
    return operation(run)


exp = _unary("exp", "Exp", FLOATING)
ln = _unary("ln", "Ln", FLOATING)
abs = _unary("abs", "Abs", FLOATING)
reciprocal = _unary("reciprocal", "Reciprocal", FLOATING)
sqrt = _unary("sqrt", "Sqrt", FLOATING)
rsqrt = _unary("rsqrt", "Rsqrt", FLOATING)
relu = _unary("relu", "Relu", (*FLOATING, "int32"))
bitwise_not = _unary("bitwise_not", "Not", BITS)


def _binary(
    name: str, call: str, with_scalar: str, dtypes: tuple[str, ...]
) -> Callable[[Any, Any, Any], Issued]:
    def run(dst: Any, src0: Any, src1: Any) -> None:
        to, a = operand(dst, f"T.tile.{name}"), operand(src0, f"T.tile.{name}")
        now = session()
        if is_number(src1):
            _with_scalar(name, with_scalar, to, a, src1)
            return
        b = operand(src1, f"T.tile.{name}")
        if now.plan is not None:
            same_size(name, to, a)
            _same_second(name, to, b)
            typed(name, dtypes, to, a, b)
            now.plan.touch(to.buffer, a.buffer, b.buffer)
            return
        now.core.emit(call, to.view, a.view, b.view, to.size)

    run.__name__ = name
    return operation(run)


def _same_second(name: str, to: Operand, b: Operand) -> None:
    if b.size < to.size:
        raise RefusalError(
            f"T.tile.{name} reads {to.size} elements of {b.buffer.name}, which has {b.size} here: nobody checks the"
            " second source",
            "T.tile.broadcast it to the size of the destination first",
        )


add = _binary("add", "Add", "Adds", ARITHMETIC)
sub = _binary("sub", "Sub", "Adds", ARITHMETIC)
mul = _binary("mul", "Mul", "Muls", ARITHMETIC)
div = _binary("div", "Div", "Muls", FLOATING)
max = _binary("max", "Max", "Maxs", ARITHMETIC)
min = _binary("min", "Min", "Mins", ARITHMETIC)
bitwise_and = _binary("bitwise_and", "And", "", BITS)
bitwise_or = _binary("bitwise_or", "Or", "", BITS)


def _with_scalar(name: str, call: str, to: Operand, a: Operand, value: Any) -> None:
    now = session()
    if now.plan is not None:
        same_size(name, to, a)
        if not call:
            raise RefusalError(
                f"T.tile.{name} takes no number as its second source", "fill a buffer with it"
            )
        typed(name, FLOATING if name == "div" else ARITHMETIC, to, a)
        _check_scalar(name, to, value)
        used = [value.buffer] if isinstance(value, Element) else []
        now.plan.touch(to.buffer, a.buffer, *used)
        if not isinstance(value, Element):
            scalar(value)
        return
    core = now.core
    if isinstance(value, Element):
        core.emit("PipeBarrier", "PIPE_ALL")
        number = core.read(value.buffer, value.index[0])
    else:
        number = scalar(value)
    core.emit(call, to.view, a.view, _turned(core, name, number), to.size)


def _turned(core: Any, name: str, number: Any) -> Any:
    """A difference is a sum, a quotient a product: with the number turned round in float32."""
    if name not in ("sub", "div"):
        return number
    operation, left = ("sub", 0.0) if name == "sub" else ("div", 1.0)
    if isinstance(number, int | float):
        from ..interp.scalar import rounded

        return -number if name == "sub" else rounded(1.0 / number)
    return core.compute(operation, "float32", left, number)


def _check_scalar(name: str, to: Operand, value: Any) -> None:
    if isinstance(value, Held | HeldFloat):
        raise RefusalError(
            "the compiler takes a variable of T.alloc_var for a buffer here, and the C++ does not compile",
            "give its value a name first: k = v",
        )
    if isinstance(value, Element):
        others = value.index[1:]
        if any(not isinstance(i, int) or i != 0 for i in others):
            raise RefusalError(
                (
                    f"only the first index of an element of {value.buffer.name} counts here: the compiler reads"
                    f" {value.buffer.name}[{value.index[0]!r}]"
                    if isinstance(value.index[0], int)
                    else f"only the first index of an element of {value.buffer.name} counts here"
                ),
                "keep such numbers in a buffer of one dimension",
            )
        if value.dtype != to.dtype and name not in ("sub", "div"):
            raise RefusalError(
                f"{value.buffer.name} is {value.dtype}, and {to.buffer.name} {to.dtype}"
            )
    if name == "sub" and isinstance(value, int | float) and value < 0:
        raise RefusalError(
            f"the compiler prints `-{value}` with another minus in front, which is no C++",
            f"write T.tile.add(…, {-value})",
        )
    if name == "div" and isinstance(value, int | float) and value == 0:
        raise RefusalError("division by zero")


@operation
def sigmoid(dst: Any, src: Any) -> None:
    """dst = 1 / (1 + exp(-src))."""
    _scratch("sigmoid", "Sigmoid", dst, src, 1, True)


@operation
def sin(dst: Any, src: Any) -> None:
    """dst = sin(src)."""
    _scratch("sin", "Sin", dst, src, 2, False)


@operation
def cos(dst: Any, src: Any) -> None:
    """dst = cos(src)."""
    _scratch("cos", "Cos", dst, src, 2, False)


def _scratch(name: str, call: str, dst: Any, src: Any, factor: int, of_part: bool) -> None:
    """With scratch space of `factor` times the source: of the part that is used, or of the whole buffer."""
    to, a = operand(dst, f"T.tile.{name}"), operand(src, f"T.tile.{name}")
    now = session()
    if now.plan is not None:
        same_size(name, to, a)
        typed(name, FLOATING, to, a)
        _apart(name, to, a)
        elements = a.size if of_part else a.buffer.elements
        tmp = now.plan.need(elements * a.buffer.size * factor)
        now.plan.touch(to.buffer, a.buffer, tmp)
        return
    now.core.emit(call, to.view, a.view, now.core.view(now.core.plan.scratch), to.size)


def _apart(name: str, to: Operand, *sources: Operand) -> None:
    """Some operations write before they have read everything."""
    for a in sources:
        if a.buffer is to.buffer and isinstance(a.offset, int) and a.offset == to.offset:
            raise RefusalError(
                f"T.tile.{name} cannot work in place: it writes {to.buffer.name} before it has read all of it",
                "give it another destination",
            )


@operation
def silu(dst: Any, src: Any) -> None:
    """dst = src / (1 + exp(-src))."""
    to, a = operand(dst, "T.tile.silu"), operand(src, "T.tile.silu")
    now = session()
    if now.plan is not None:
        same_size("silu", to, a)
        typed("silu", FLOATING, to, a)
        _apart("silu", to, a)
        now.plan.touch(to.buffer, a.buffer)
        return
    now.core.emit("Silu", to.view, a.view, to.size)


@operation
def pow(dst: Any, src0: Any, src1: Any) -> None:
    """dst = src0 to the power of src1."""
    to, a, b = (operand(x, "T.tile.pow") for x in (dst, src0, src1))
    now = session()
    if now.plan is not None:
        typed("pow", (*FLOATING, "int32"), to, a, b)
        _apart("pow", to, a, b)
        tmp = now.plan.need(a.buffer.elements * a.buffer.size * 2)
        now.plan.touch(to.buffer, a.buffer, b.buffer, tmp)
        return
    now.core.emit("Power", to.view, a.view, b.view, now.core.view(now.core.plan.scratch))


@operation
def round(out: Any, buffer: Any, count: Any) -> None:
    """To the nearest integer, ties to even."""
    to, a = operand(out, "T.tile.round"), operand(buffer, "T.tile.round")
    now = session()
    if now.plan is not None:
        typed("round", FLOATING, to, a)
        tmp = now.plan.need(builtin_max(256, to.size * to.buffer.size))
        now.plan.touch(to.buffer, a.buffer, tmp)
        return
    now.core.emit("Round", to.view, a.view, now.core.view(now.core.plan.scratch), _count(count))


def builtin_max(a: int, b: int) -> int:
    """The name is taken."""
    return a if a > b else b


def _count(value: Any) -> Any:
    return count(value, "the last argument")


def _clamped(name: str) -> Callable[..., Issued]:
    def run(out: Any, buffer: Any, scalar_value: Any, count: Any) -> None:
        to, a = operand(out, f"T.tile.{name}"), operand(buffer, f"T.tile.{name}")
        now = session()
        if now.plan is not None:
            typed(name, FLOATING, to, a)
            _apart(name, to, a)
            now.plan.touch(to.buffer, a.buffer, now.plan.need(a.size * a.buffer.size))
            return
        tmp = now.core.view(now.core.plan.scratch)
        call = "ClampMax" if name == "clamp_max" else "ClampMin"
        now.core.emit(call, to.view, a.view, tmp, scalar(scalar_value), _count(count))

    run.__name__ = name
    return operation(run)


clamp_max = _clamped("clamp_max")
clamp_min = _clamped("clamp_min")


@operation
def clamp(out: Any, buffer: Any, min_scalar: Any, max_scalar: Any, count: Any) -> None:
    """Between two numbers."""
    to, a = operand(out, "T.tile.clamp"), operand(buffer, "T.tile.clamp")
    now = session()
    if now.plan is not None:
        typed("clamp", FLOATING, to, a)
        _apart("clamp", to, a)
        now.plan.touch(to.buffer, a.buffer, now.plan.need(a.size * a.buffer.size))
        return
    tmp = now.core.view(now.core.plan.scratch)
    low, high = scalar(min_scalar), scalar(max_scalar)
    vectors.clamp(now.core, to.view, a.view, tmp, low, high, _count(count))


def _scaled(name: str, call: str, dtypes: tuple[str, ...]) -> Callable[[Any, Any, Any], Issued]:
    def run(dst: Any, src0: Any, scalar_value: Any) -> None:
        to, a = operand(dst, f"T.tile.{name}"), operand(src0, f"T.tile.{name}")
        now = session()
        if now.plan is not None:
            same_size(name, to, a)
            typed(name, dtypes, to, a)
            now.plan.touch(to.buffer, a.buffer)
            return
        now.core.emit(call, to.view, a.view, scalar(scalar_value), to.size)

    run.__name__ = name
    return operation(run)


leaky_relu = _scaled("leaky_relu", "LeakyRelu", FLOATING)
axpy = _scaled("axpy", "Axpy", FLOATING)
bitwise_lshift = _scaled("bitwise_lshift", "ShiftLeft", SHIFTED)
bitwise_rshift = _scaled("bitwise_rshift", "ShiftRight", SHIFTED)


@operation
def mul_add_dst(dst: Any, src0: Any, src1: Any) -> None:
    """dst += src0 * src1."""
    to, a, b = (operand(x, "T.tile.mul_add_dst") for x in (dst, src0, src1))
    now = session()
    if now.plan is not None:
        same_size("mul_add_dst", to, a, b)
        typed("mul_add_dst", FLOATING, to, a, b)
        now.plan.touch(to.buffer, a.buffer, b.buffer)
        return
    now.core.emit("MulAddDst", to.view, a.view, b.view, to.size)


MODES = ("NONE", "RINT", "FLOOR", "CEIL", "ROUND", "TRUNC", "ODD")


@operation
def cast(dst: Any, src: Any, mode: str, count: Any) -> None:
    """To the type of the destination. `mode`: CAST_NONE to wider types, CAST_RINT to narrower ones, …"""
    to, a = operand(dst, "T.tile.cast"), operand(src, "T.tile.cast")
    number = _count(count)
    now = session()
    if now.plan is not None:
        if mode not in {f"CAST_{m}" for m in MODES}:
            raise RefusalError(f"{mode!r} is no mode: CAST_{', CAST_'.join(MODES)}")
        now.plan.touch(to.buffer, a.buffer)
        return
    now.core.emit("Cast", to.view, a.view, mode, number)


@operation
def fill(buffer: Any, value: Any) -> None:
    """One value in all elements."""
    to = operand(buffer, "T.tile.fill")
    now = session()
    if now.plan is not None:
        typed("fill", ("int16", "uint16", "float16", "bfloat16", "int32", "uint32", "float32"), to)
        now.plan.touch(to.buffer)
        scalar(value)
        return
    vectors.fill(now.core, to.view, scalar(value), to.size)


def clear(buffer: Any) -> Issued:
    """Zeros."""
    return fill(buffer, 0)


@operation
def createvecindex(dst: Any, firstValue: Any) -> None:  # noqa: N803
    """first, first + 1, …"""
    to = operand(dst, "T.tile.createvecindex")
    now = session()
    if now.plan is not None:
        now.plan.touch(to.buffer)
        return
    now.core.emit("CreateVecIndex", to.view, scalar(firstValue), to.size)


@operation
def arith_progression(buffer: Any, first_value: Any, diff_value: Any, count: Any) -> None:
    """first, first + step, …"""
    to = operand(buffer, "T.tile.arith_progression")
    now = session()
    if now.plan is not None:
        now.plan.touch(to.buffer)
        return
    now.core.emit(
        "ArithProgression", to.view, scalar(first_value), scalar(diff_value), _count(count)
    )


@operation
def bitwise_xor(dst: Any, src0: Any, src1: Any) -> None:
    """dst = src0 ^ src1."""
    to, a, b = (operand(x, "T.tile.bitwise_xor") for x in (dst, src0, src1))
    now = session()
    if now.plan is not None:
        typed("bitwise_xor", BITS, to, a, b)
        tmp = now.plan.need(a.size * a.buffer.size)
        now.plan.touch(to.buffer, a.buffer, b.buffer, tmp)
        return
    now.core.emit("Xor", to.view, a.view, b.view)


def __getattr__(name: str) -> Any:
    if name in ("sort", "merge_sort", "topk", "sort32", "init_sort_buf", "gatherb", "bilinear_interpolation",
                "gathermask_experiment", "reduce_sum_mask_experiment", "datacachecleanandinvalid_experiment"):  # fmt: skip
        raise unsupported(f"T.tile.{name}")
    raise AttributeError(f"module 'tilelang.language.ascend_tile' has no attribute {name!r}")
