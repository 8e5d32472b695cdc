"""T.reduce_sum, T.reduce_max, T.reduce_min."""

from __future__ import annotations

from typing import Any

from . import sharing
from .operand import Operand, operand
from .operation import operation
from .refusal import RefusalError
from .session import session
from .templates import vectors


def _dim(rank: int, dim: Any, name: str) -> int:
    """0 or -1."""
    allowed = {1: (0, -1), 2: (0, 1, -1, -2), 3: (0, 1, -1, -2)}.get(rank)
    if allowed is None or dim not in allowed:
        raise RefusalError(
            f"T.{name} takes 1 or 2 dimensions (or the last 2 of 3), and dim {dim!r} of {rank} is none of them"
        )
    if rank == 1:
        return -1
    return 0 if dim in (0, -2) else -1


def _sizes(a: Operand, real_shape: Any) -> tuple[int, int]:
    """Rows and columns that are taken."""
    shape = a.shape
    if len(shape) == 1:
        return 1, shape[0]
    if len(shape) == 3:
        return shape[1], shape[2]
    if real_shape is None:
        return shape[0], shape[1]
    if not isinstance(real_shape, list | tuple) or len(real_shape) != 2:
        raise RefusalError(f"real_shape is [rows, columns], not {real_shape!r}")
    if any(isinstance(n, bool) or not isinstance(n, int) for n in real_shape):
        raise RefusalError(
            "real_shape must be constants: the compiler prints them into the C++ as template arguments",
            "compute them outside of the kernel body",
        )
    rows, columns = (n or whole for n, whole in zip(real_shape, shape, strict=True))
    if rows > shape[0] or columns > shape[1] or min(rows, columns) < 0:
        raise RefusalError(
            f"real_shape {list(real_shape)} exceeds {a.buffer.name}, which is {shape}"
        )
    return rows, columns


def _check_result(
    name: str, a: Operand, out: Operand, dim: int, sizes: tuple[int, int], real: bool
) -> None:
    if len(a.shape) == 3:
        return
    rows, columns = sizes
    kept = columns if dim == 0 else rows
    wanted = [[kept], [1, kept] if dim == 0 else [kept, 1]]
    if len(a.shape) == 1:
        wanted = [[], [1]]
    if len(a.shape) == 2 and real and a.shape[1] >= kept:
        wanted += [[a.shape[1]], [1, a.shape[1]]]
    shapes = [out.shape, [n for n in out.shape if n != 1]]
    if out.shape not in wanted and not (len(out.shape) > 2 and any(s in wanted for s in shapes)):
        shown = " or ".join(str(w) for w in wanted if w)
        raise RefusalError(
            f"T.{name} of {a.shape} along {dim} is {shown}, and {out.buffer.name} is {out.shape}"
        )


def _check_pitch(a: Operand, columns: int) -> None:
    """Rows are taken to be as far apart as `columns` needs."""
    size = a.buffer.size
    width = a.shape[-1]
    if -(-columns * size // 32) != -(-width * size // 32):
        raise RefusalError(
            f"with real_shape the rows of {a.buffer.name} are taken to be {-(-columns * size // 32) * 32} bytes apart,"
            f" and they are {-(-width * size // 32) * 32}",
            "make the buffer as wide as the row, rounded up to 32 bytes",
        )


def _check_half(a: Operand, dim: int, sizes: tuple[int, int], clear: bool) -> None:
    """Sums of float16 become one WholeReduceSum: rows of at most 128 elements, at most 255 of them."""
    if a.dtype != "float16" or not clear:
        return
    rows, columns = sizes
    if dim == 0 or columns > 128 or rows > 255:
        what = "along the rows" if dim == 0 else f"of {rows} rows of {columns} elements"
        raise RefusalError(
            f"the sum {what} of float16 is emitted as one WholeReduceSum, which takes at most 255 rows of 128",
            "T.tile.cast to float32, and add up there",
        )


def _check_shared(name: str, a: Operand, to: Operand, dim: int, real_shape: Any) -> None:
    """With threads=2 the compiler halves the rows, whatever they are."""
    if not (a.shared and to.shared) or len(a.shape) != 2 or dim == 0 or real_shape is not None:
        raise RefusalError(
            f"with threads=2 T.{name} is right only along the last dimension of a whole buffer of two",
            "leave threads out, and write T.Kernel(cores, is_npu=True) as (cid, vid)",
        )


def _reduce(name: str, buffer: Any, out: Any, dim: Any, clear: Any, real_shape: Any) -> None:
    a, to = operand(buffer, f"T.{name}", rows=True), operand(out, f"T.{name}", rows=True)
    dim = _dim(len(a.shape), dim, name)
    sizes = _sizes(a, real_shape)
    now = session()
    if now.plan is not None:
        if not isinstance(clear, bool):
            raise RefusalError(f"clear of T.{name} is True or False, not {clear!r}")
        if a.dtype not in ("float32", "float16") or a.dtype != to.dtype:
            raise RefusalError(
                f"T.{name} takes float32 or float16 to the same type, not {a.dtype} to {to.dtype}",
                "T.tile.cast to float32 first",
            )
        _check_result(name, a, to, dim, sizes, real_shape is not None)
        _check_pitch(a, sizes[1])
        if name == "reduce_sum":
            _check_half(a, dim, sizes, clear)
        if a.buffer.halved:
            _check_shared(name, a, to, dim, real_shape)
        now.plan.touch(to.buffer, a.buffer, now.plan.need(a.size * a.buffer.size))
        return
    core = now.core
    if a.shared:
        sizes = (sharing.half(sizes[0]), sizes[1])
    if name == "reduce_sum" and a.dtype == "float16" and clear:
        vectors.reduce_sum_half(core, to.view, a.view, sizes[1], sizes[0], -(-sizes[1] // 16))
        return
    tmp = core.view(core.plan.scratch)
    vectors.reduce(core, name, to.view, a.view, tmp, sizes, dim, clear)


def _options(args: tuple[Any, ...], clear: Any, real_shape: Any) -> tuple[Any, Any]:
    for value in args:
        if isinstance(value, bool):
            clear = value
        elif value is not None:
            real_shape = value
    return clear, real_shape


def _made(name: str) -> Any:
    def run(
        buffer: Any, out: Any, dim: int = -1, *args: Any, clear: bool = True, real_shape: Any = None
    ) -> None:
        _reduce(name, buffer, out, dim, *_options(args, clear, real_shape))

    run.__name__ = name
    return operation(run)


reduce_sum = _made("reduce_sum")
reduce_max = _made("reduce_max")
reduce_min = _made("reduce_min")
