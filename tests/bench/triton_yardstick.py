"""Times Triton's CPU interpreter on the two problems of the bench. A process of its own: the interpreter is a switch.

Prints one JSON object: seconds by problem, medians.
"""

from __future__ import annotations

import json
import os
import statistics
import time
from collections.abc import Callable

os.environ["TRITON_INTERPRET"] = "1"

import torch
import triton
import triton.language as tl

TILE_M, TILE_N, TILE_K = 128, 256, 128


@triton.jit
def add_kernel(x, y, z, n, TILE: tl.constexpr):  # noqa: N803
    at = tl.program_id(0) * TILE + tl.arange(0, TILE)
    tl.store(z + at, tl.load(x + at, at < n) + tl.load(y + at, at < n), at < n)


@triton.jit
def gemm_kernel(a, b, c, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):  # noqa: N803
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    cols = tl.program_id(1) * BN + tl.arange(0, BN)
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for start in range(0, k, BK):
        steps = start + tl.arange(0, BK)
        left = tl.load(a + rows[:, None] * k + steps[None, :])
        right = tl.load(b + steps[:, None] * n + cols[None, :])
        # NumPy multiplies float16 matrices very slowly: in float32 the interpreter is at its best.
        total += tl.dot(left.to(tl.float32), right.to(tl.float32))
    tl.store(c + rows[:, None] * n + cols[None, :], total.to(tl.float16))


def median_seconds(run: Callable[[], object], times: int = 3) -> float:
    run()
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        run()
        taken.append(time.perf_counter() - start)
    return statistics.median(taken)


def main() -> None:
    size = 1024
    a, b = torch.randn(size, size).half(), torch.randn(size, size).half()
    c = torch.empty(size, size, dtype=torch.float16)
    grid = (size // TILE_M, size // TILE_N)
    gemm = median_seconds(lambda: gemm_kernel[grid](a, b, c, size, size, TILE_M, TILE_N, TILE_K))
    n = 4 * size * size
    x, y, z = torch.randn(n), torch.randn(n), torch.empty(n)
    add = median_seconds(lambda: add_kernel[(n // 8192,)](x, y, z, n, 8192))
    print(json.dumps({"gemm": gemm, "add": add}))


if __name__ == "__main__":
    main()
