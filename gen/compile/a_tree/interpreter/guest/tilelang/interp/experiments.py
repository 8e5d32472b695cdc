"""The tile operations whose names end in `_experiment`, and those that take masks and strides."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .operand import Operand, operand
from .operation import Issued, count, operation, scalar
from .refusal import RefusalError, unsupported
from .session import session
from .templates import vectors


def _repeated(name: str, call: str, last: bool) -> Callable[..., Issued]:
    def run(dst: Any, src: Any, *numbers: Any) -> None:
        to, a = operand(dst, f"T.tile.{name}"), operand(src, f"T.tile.{name}")
        now = session()
        if now.plan is not None:
            now.plan.touch(to.buffer, a.buffer)
            return
        order = [numbers[5] if len(numbers) > 5 else "ORDER_VALUE_INDEX"] if last else []
        now.core.emit(call, to.view, a.view, *(count(n, name) for n in numbers[:5]), *order)

    run.__name__ = name
    return operation(run)


wholereducemax = _repeated("wholereducemax", "WholeReduceMax", True)
wholereducemin = _repeated("wholereducemin", "WholeReduceMin", True)
wholereducesum = _repeated("wholereducesum", "WholeReduceSum", False)
block_reduce_max = _repeated("block_reduce_max", "BlockReduceMax", False)
block_reduce_min = _repeated("block_reduce_min", "BlockReduceMin", False)
block_reduce_sum = _repeated("block_reduce_sum", "BlockReduceSum", False)


@operation
def brcb_experiment(
    dst: Any, src: Any, repeat_times: Any, dst_blk_stride: Any, dst_repeat_stride: Any
) -> None:
    """Every element fills a block; eight in each repeat."""
    to, a = operand(dst, "T.tile.brcb_experiment"), operand(src, "T.tile.brcb_experiment")
    now = session()
    if now.plan is not None:
        if isinstance(repeat_times, int) and a.size < repeat_times * 8:
            raise RefusalError(
                f"{repeat_times} repeats read {repeat_times * 8} elements, and there are {a.size}"
            )
        now.plan.touch(to.buffer, a.buffer)
        return
    numbers = [count(n, "brcb") for n in (repeat_times, dst_blk_stride, dst_repeat_stride)]
    now.core.emit("Brcb", to.view, a.view, *numbers)


def _row_expand(name: str, call: str) -> Callable[..., Issued]:
    def run(dst: Any, src0: Any, src1: Any, tmp: Any = None) -> None:
        to, a, b = (operand(x, f"T.tile.{name}") for x in (dst, src0, src1))
        scratch = None if tmp is None else operand(tmp, f"T.tile.{name}")
        now = session()
        block = 32 // to.buffer.size
        columns = to.buffer.shape[-1]
        rows = to.size // (8 * block)
        if now.plan is not None:
            _check_rows(name, to, a, columns, 8 * block, rows)
            more = [] if scratch is None else [scratch.buffer]
            kept = (3,) if more else ()
            now.plan.touch(to.buffer, a.buffer, b.buffer, *more, written=(0, *kept), kept=kept)
            return
        view = None if scratch is None else scratch.view
        vectors.row_expand(now.core, call, to.view, a.view, b.view, view, rows, columns // block)

    run.__name__ = name
    return operation(run)


def _check_rows(name: str, to: Operand, a: Operand, columns: int, repeat: int, rows: int) -> None:
    if to.shape[-2:] != a.shape[-2:] or to.dtype != a.dtype:
        raise RefusalError(
            f"T.tile.{name}: {to.buffer.name} is {to.shape}, {a.buffer.name} {a.shape}"
        )
    if columns != repeat or to.shape[-1] != repeat or rows % 8:
        raise RefusalError(
            f"T.tile.{name} is right for rows of 256 bytes only, in multiples of 8, and {to.buffer.name} is {to.shape}",
            "T.tile.broadcast the numbers, and use the plain operation",
        )


row_expand_mul_experiment = _row_expand("row_expand_mul_experiment", "Mul")
row_expand_sub_experiment = _row_expand("row_expand_sub_experiment", "Sub")
row_expand_div_experiment = _row_expand("row_expand_div_experiment", "Div")


def row_expand_mul(*args: Any, **kwargs: Any) -> Issued:
    """Of another back end."""
    raise RefusalError(
        "T.tile.row_expand_mul exists for the PTO back end only", "T.tile.row_expand_mul_experiment"
    )


@operation
def sub_experiment(dst: Any, src0: Any, src1: Any, count: Any) -> None:
    """dst = src0 - src1 of so many elements."""
    _counted("Sub", (dst, src0, src1), (), count)


@operation
def abs_experiment(dst: Any, src: Any, count: Any) -> None:
    """dst = |src| of so many elements."""
    _counted("Abs", (dst, src), (), count)


@operation
def mins_experiment(dst: Any, src: Any, scalarValue: Any, count: Any) -> None:  # noqa: N803
    """The smaller of each element and a number, of so many elements."""
    _counted("Mins", (dst, src), (scalarValue,), count)


def _counted(call: str, parts: tuple[Any, ...], numbers: tuple[Any, ...], elements: Any) -> None:
    found = [operand(part, call) for part in parts]
    now = session()
    if now.plan is not None:
        if len({o.size for o in found}) > 1:
            raise RefusalError("destination and source of a tile operation need as many elements")
        now.plan.touch(*(o.buffer for o in found))
        return
    values = [scalar(n) for n in numbers]
    now.core.emit(call, *(o.view for o in found), *values, count(elements, call))


def reduce_sum_experiment(*args: Any, **kwargs: Any) -> Issued:
    """What is emitted for it does not compile."""
    raise RefusalError(
        "T.tile.reduce_sum_experiment is emitted with scratch space of another type, which does not compile",
        "T.reduce_sum",
    )


def _number(value: Any) -> Any:
    return count(value, "the last argument")


@operation
def fill_experiment(
    dst: Any,
    value: Any,
    mask: Any,
    repeatTimes: Any,  # noqa: N803
    dstBlockStride: Any,  # noqa: N803
    dstRepeatStride: Any,  # noqa: N803
) -> None:
    """One value in the elements of a mask."""
    raise unsupported("T.tile.fill_experiment")


@operation
def sum_experiment(dst: Any, src: Any, sumParams: Any) -> None:  # noqa: N803
    """Sums of rows."""
    to, a = operand(dst, "T.tile.sum_experiment"), operand(src, "T.tile.sum_experiment")
    now = session()
    if now.plan is not None:
        now.plan.touch(to.buffer, a.buffer)
        return
    now.core.emit("Sum", to.view, a.view, *(_number(n) for n in sumParams))
