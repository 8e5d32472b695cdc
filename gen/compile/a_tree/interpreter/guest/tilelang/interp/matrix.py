"""Products: T.gemm_v0 from L1, T.mma from L0."""

from __future__ import annotations

from typing import Any

from .buffer import BYTES, NAMES, Buffer, Element, Region
from .copy import _check_fractals
from .expression import Condition
from .operation import operation
from .refusal import RefusalError
from .scalar import plain
from .session import session
from .templates import cube


def _matrix(part: Any, scope: str, what: str) -> tuple[Buffer, Any, tuple[int, int]]:
    """Buffer, offset in elements and the two sizes of a matrix."""
    if isinstance(part, Element) or not isinstance(part, Buffer | Region):
        raise RefusalError(f"{what} takes buffers or parts of them, not {type(part).__name__}")
    buffer = part if isinstance(part, Buffer) else part.buffer
    if buffer.scope != scope:
        raise RefusalError(
            f"{what} takes {buffer.name} from {NAMES[scope]}, and it is in {NAMES[buffer.scope]}",
            f"allocate it with T.alloc_{'L1' if scope == 'l1' else NAMES[scope]}",
        )
    extent = list(part.shape)
    if any(not isinstance(n, int) for n in extent):
        raise RefusalError(f"the size of {buffer.name} must be a constant in {what}")
    if len(extent) < 2 or any(n != 1 for n in extent[:-2]):
        raise RefusalError(
            f"{what} takes the last two dimensions of {buffer.name} as a matrix: the others must be one index",
            f"write {buffer.name}[i, :, :]",
        )
    low = [0] * len(extent) if isinstance(part, Buffer) else part.low
    place = sum((i * n for i, n in zip(low, buffer.strides, strict=True)), 0)
    return buffer, place, (extent[-2], extent[-1])


def _init(value: Any, what: str) -> Any:
    if isinstance(value, Condition):
        return value
    value = plain(value)
    if isinstance(value, float) or (not isinstance(value, bool | int) and session().plan is None):
        raise RefusalError(f"init of {what} is a condition, not {value!r}")
    return value


@operation
def gemm_v0(
    A: Any,  # noqa: N803
    B: Any,  # noqa: N803
    C: Any,  # noqa: N803
    transpose_A: bool = False,  # noqa: N803
    transpose_B: bool = False,  # noqa: N803
    init: Any = False,
) -> None:
    """C += A × B of buffers in L1, C in L0C; `init`: C starts at zero."""
    a, b = _matrix(A, "l1", "gemm_v0"), _matrix(B, "l1", "gemm_v0")
    c = _matrix(C, "l0c", "gemm_v0")
    m, n = c[2]
    k = a[2][0] if transpose_A else a[2][1]
    clear = _init(init, "gemm_v0")
    now = session()
    if now.plan is not None:
        _check(a, b, c, (m, n, k), (bool(transpose_A), bool(transpose_B)))
        now.plan.touch(a[0], b[0], c[0], written=(2,), kept=() if init is True else (2,))
        return
    core = now.core
    _check_stale(core, a, b, k, (bool(transpose_A), bool(transpose_B)))
    one, two, out = (core.view(buffer).at(place) for buffer, place, _ in (a, b, c))
    cube.gemm_v0(
        core, one, two, out, (m, n, k), (bool(transpose_A), bool(transpose_B)), bool(clear)
    )


def _check(a: Any, b: Any, c: Any, sizes: tuple[int, int, int], turned: tuple[bool, bool]) -> None:
    m, n, k = sizes
    other = b[2][1] if turned[1] else b[2][0]
    if k != other:
        raise RefusalError(
            f"{a[0].name} has K = {k} and {b[0].name} K = {other}",
            "A and B of gemm_v0 must have the same K",
        )
    rows, columns = a[2][1] if turned[0] else a[2][0], b[2][0] if turned[1] else b[2][1]
    if (rows, columns) != (m, n):
        raise RefusalError(f"the product is {rows} × {columns}, and {c[0].name} is {m} × {n}")
    _check_types(a[0], b[0], c[0], "gemm_v0")
    if a[0].dtype == "float32" and turned != (False, True):
        raise RefusalError(
            "products of float32 are right only of A as [M, K] and B as [N, K]: L1 to L0 cannot transpose 4-byte"
            " elements",
            "store B as [N, K], and say transpose_B=True",
        )
    for buffer, _, _ in (a, b):
        _check_fractals(buffer)
    if m % 16 or n % 16:
        raise RefusalError(f"{c[0].name} is {m} × {n}, and the Cube works on multiples of 16")
    _check_l0(a[0].dtype, sizes)


def _check_types(a: Buffer, b: Buffer, c: Buffer, what: str) -> None:
    wanted = "int32" if a.dtype == "int8" else "float32"
    if a.dtype != b.dtype:
        raise RefusalError(
            f"{what} takes two matrices of one type: {a.name} is {a.dtype}, {b.name} {b.dtype}"
        )
    if c.dtype != wanted or a.dtype not in ("float16", "bfloat16", "float32", "int8"):
        raise RefusalError(
            f"{what} of {a.dtype} accumulates in {wanted}, and {c.name} is {c.dtype}"
        )


def _check_l0(dtype: str, sizes: tuple[int, int, int]) -> None:
    """gemm_v0 uses L0A and L0B from their starts: two halves where K has more than one step."""
    m, n, k = sizes
    for name, height in (("L0A", m), ("L0B", n)):
        bytes = height * min(k, cube.STEP) * BYTES[dtype] * (2 if k > cube.STEP else 1)
        if bytes > 65536:
            raise RefusalError(
                f"gemm_v0 takes {bytes:,} bytes to {name}, which has 65,536",
                "make the tile smaller",
            )


def _check_stale(core: Any, a: Any, b: Any, k: int, turned: tuple[bool, bool]) -> None:
    """Columns of K that no copy has written since the buffer held another tile, on both sides."""
    left = core.filled(a[0], a[1])
    right = core.filled(b[0], b[1])
    if left is None or right is None:
        return
    one, two = left[0 if turned[0] else 1], right[1 if turned[1] else 0]
    if one < k and two < k:
        raise RefusalError(
            f"only {min(one, two)} of the {k} columns of K are loaded: this copy is to a part of the buffer, and the"
            " compiler clears the rest of a tile only where the part starts at 0",
            "load the tail into a buffer of its own, or take two buffers and `if k % 2 == 0`",
        )


@operation
def mma(A: Any, B: Any, C: Any, init: Any = False) -> None:  # noqa: N803
    """C += A × B of buffers in L0A and L0B, C in L0C; `init`: C starts at zero."""
    a, b = _matrix(A, "l0a", "mma"), _matrix(B, "l0b", "mma")
    c = _matrix(C, "l0c", "mma")
    m, n = c[2]
    k = a[2][1]
    clear = _init(init, "mma")
    now = session()
    if now.plan is not None:
        if k != b[2][0]:
            raise RefusalError(
                f"{a[0].name} has K = {k} and {b[0].name} K = {b[2][0]}",
                "A and B of mma must have the same K",
            )
        _check_types(a[0], b[0], c[0], "mma")
        now.plan.touch(a[0], b[0], c[0], written=(2,), kept=() if init is True else (2,))
        return
    core = now.core
    one, two, out = (core.view(buffer).at(place) for buffer, place, _ in (a, b, c))
    cube.mma(core, one, two, out, m, n, k, bool(clear))
