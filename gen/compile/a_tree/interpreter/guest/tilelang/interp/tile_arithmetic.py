"""Arithmetic on tiles: with tiles, and with numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .buffer import Element
from .expression import Held, HeldFloat, wide
from .operand import Operand, operand
from .operation import Issued, is_number, operation, scalar
from .refusal import RefusalError
from .scalar import rounded
from .session import session
from .tile_checks import ARITHMETIC, BITS, FLOATING, SHIFTED, no_call, same_size, typed


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
    if b.there < to.size:
        raise RefusalError(
            f"T.tile.{name} reads {to.size} elements of {b.buffer.name}, which has {b.there} here: nobody checks the"
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
        _check_wide(name, to, value)
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
    operation, left = ("sub", -0.0) if name == "sub" else ("div", 1.0)
    if isinstance(number, int | float):
        return -number if name == "sub" else rounded(1.0 / number)
    return core.compute(operation, "float32", left, number)


def _check_wide(name: str, to: Operand, value: Any) -> None:
    """Instructions take a number of the type of their elements."""
    if to.dtype not in FLOATING and wide(value):
        raise RefusalError(
            f"T.tile.{name} of {to.dtype} wants a number of that type, and one that is computed from cid or vid is 64 bits"
            " wide in the C++: no such overload",
            "store it in an element of a buffer of int32, or fill a buffer with it",
        )


def _check_scalar(name: str, to: Operand, value: Any) -> None:
    if isinstance(value, Held | HeldFloat):
        raise RefusalError(
            "the compiler takes a variable of T.alloc_var for a buffer here, and the C++ does not compile",
            "give its value a name first: k = v",
        )
    no_call(value)
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


def _scaled(name: str, call: str, dtypes: tuple[str, ...]) -> Callable[[Any, Any, Any], Issued]:
    def run(dst: Any, src0: Any, scalar_value: Any) -> None:
        to, a = operand(dst, f"T.tile.{name}"), operand(src0, f"T.tile.{name}")
        now = session()
        if now.plan is not None:
            same_size(name, to, a)
            typed(name, dtypes, to, a)
            _check_wide(name, to, scalar_value)
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
        now.plan.touch(to.buffer, a.buffer, b.buffer, kept=(0,))
        return
    now.core.emit("MulAddDst", to.view, a.view, b.view, to.size)


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
