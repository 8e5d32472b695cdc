"""T.use_swizzle: another order of the tiles (CATLASS GemmIdentityBlockSwizzle)."""

from __future__ import annotations

from typing import Any

from .expression import Expression, variable
from .refusal import RefusalError
from .scalar import whole


def use_swizzle(
    cid: Any,
    m: int,
    n: int,
    k: int,
    block_m: int,
    block_n: int,
    off: int = 1,
    dir: int = 0,
    in_loop: bool = False,
) -> Any:
    """The tile that comes at `cid`."""
    del k, in_loop
    if m % block_m or n % block_n:
        raise RefusalError("m and n must be divisible by block_m and block_n")
    rows, columns = m // block_m, n // block_n
    if isinstance(cid, Expression):
        return variable("swizzle", 0, rows * columns - 1)
    return _tile(whole(cid), rows, columns, off, dir)


def _tile(task: int, rows: int, columns: int, off: int, direction: int) -> int:
    task %= rows * columns
    outer, inner = (rows, columns) if direction == 0 else (columns, rows)
    bands = -(-outer // off)
    band = task // (off * inner)
    within = task % (off * inner)
    height = outer - off * band if band == bands - 1 else off
    i, j = band * off + within % height, within // height
    if band % 2:
        j = inner - j - 1
    m, n = (i, j) if direction == 0 else (j, i)
    return m * columns + n
