"""T.gemm_blockscaled: a factor for every 32 numbers of K, from L1 and from L0, of 8 and of 4 bits, against NumPy."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from gen.check import Outcome
from gen.check.foreign import RunOptions, run_file
from gen.compile.m_tree import installed

pytestmark = [
    pytest.mark.skipif(bool(installed.missing()), reason="needs tilelang"),
    pytest.mark.skipif(not shutil.which("g++"), reason="needs g++"),
]

M, N, K = 64, 48, 512
KERNEL = """\
import tilelang
import tilelang.ascend.language as T


@tilelang.jit(target="ascend")
def product(X, W, SX, SW):
    M, N, B, P = T.const("M, N, B, P")
    X: T.Tensor((M, B), "{stored}")
    W: T.Tensor((N, B), "{stored}")
    SX: T.Tensor((P, M), "uint16")
    SW: T.Tensor((P, N), "uint16")
    C = T.empty((M, N), dtype="float32")
    K = P * 64
    x = {x}
    w = {w}
    with T.Kernel(1) as bx:
        c = T.alloc_l0c((M, N), "float32")
        x1 = T.alloc_l1((M, 256), "{dtype}")
        w1 = T.alloc_l1((N, 256), "{dtype}")
        sx1 = T.alloc_l1((M, 4), "uint16")
        sw1 = T.alloc_l1((N, 4), "uint16")
{allocations}
        for k in T.Pipelined(K // 256, num_stages=2):
            T.copy({gx}[0:M, k * 256 : (k + 1) * 256], x1)
            T.copy({gw}[0:N, k * 256 : (k + 1) * 256], w1)
            T.copy(SX[k * 4 : k * 4 + 4, 0:M], sx1, transpose=True)
            T.copy(SW[k * 4 : k * 4 + 4, 0:N], sw1, transpose=True)
{product}
        T.copy(c, C[0, 0])
    return C
"""
FROM_L1 = """\
            T.gemm_blockscaled(x1, w1, c, sx1, sw1, transpose_B=True, clear_accum=(k == 0))
"""
L0 = """\
        x0 = T.alloc_l0a((M, 128), "{dtype}")
        w0 = T.alloc_l0b((N, 128), "{dtype}")
        sx0 = T.alloc_l0a_sf(x0)
        sw0 = T.alloc_l0b_sf(w0)
"""
FROM_L0 = """\
            for s in T.Pipelined(2, num_stages=2):
                T.copy(x1[:, s * 128 : (s + 1) * 128], x0)
                T.copy(sx1[:, s * 2 : s * 2 + 2], sx0)
                T.copy(w1[:, s * 128 : (s + 1) * 128], w0)
                T.copy(sw1[:, s * 2 : s * 2 + 2], sw0)
                T.gemm_blockscaled(
                    x0, w0, c, sx0, sw0, transpose_B=True, clear_accum=(k == 0 and s == 0)
                )
"""
E2M1 = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6])
FOUR_BITS = np.concatenate([E2M1, -E2M1])


def source(four_bits: bool, l0: bool) -> str:
    dtype = "float4_e2m1fn" if four_bits else "float8_e4m3fn"
    view = 'T.view({}, ({}, B * 2), "float4_e2m1fn")'
    words = {
        "dtype": dtype,
        "stored": "int8" if four_bits else dtype,
        "x": view.format("X", "M") if four_bits else "X",
        "w": view.format("W", "N") if four_bits else "W",
        "gx": "x" if four_bits else "X",
        "gw": "w" if four_bits else "W",
        "allocations": L0 if l0 else "",
        "product": FROM_L0 if l0 else FROM_L1,
    }
    text = KERNEL
    for word in ("allocations", "product", "x", "w", "gx", "gw", "stored", "dtype"):
        text = text.replace(f"{{{word}}}", words[word].rstrip("\n"))
    return text if four_bits else text.replace("    x = X\n    w = W\n", "")


def operand(rng: Any, rows: int, four_bits: bool) -> tuple[Any, Any]:
    """What is stored, and the values: few enough bits that every sum is exact in float."""
    if four_bits:
        codes = rng.integers(0, 16, (rows, K), dtype=np.uint8)
        return codes[:, ::2] | codes[:, 1::2] << 4, FOUR_BITS[codes]
    values = rng.integers(-8, 9, (rows, K)).astype(ml_dtypes.float8_e4m3fn)
    return values, values.astype(np.float64)


@pytest.mark.parametrize("l0", [False, True], ids=["l1", "l0"])
@pytest.mark.parametrize("four_bits", [False, True], ids=["fp8", "fp4"])
def test_a_block_scaled_product(tmp_path: Path, four_bits: bool, l0: bool) -> None:
    rng = np.random.default_rng(K)
    (x, left), (w, right) = operand(rng, M, four_bits), operand(rng, N, four_bits)
    scales = [rng.integers(126, 129, (rows, K // 32), dtype=np.uint8) for rows in (M, N)]
    pairs = [s.view(np.uint16).T.copy() for s in scales]
    stored = "int8" if four_bits else "float8_e4m3fn"
    inputs = {}
    for name, array, dtype in zip(
        ("X", "W", "SX", "SW"), (x, w, *pairs), (stored, stored, "uint16", "uint16"), strict=True
    ):
        array.tofile(tmp_path / f"{name}.bin")
        extents = ",".join(map(str, array.shape))
        inputs[name] = f"{dtype}[{extents}]={tmp_path / name}.bin"
    path = tmp_path / "kernel.py"
    path.write_text(source(four_bits, l0))
    verdict = run_file(path, RunOptions(inputs=inputs))
    assert verdict.outcome is Outcome.CLEAN, (verdict.reason, verdict.faults, verdict.diagnostics)
    a, b = (
        values * 2.0 ** (np.repeat(s, 32, 1) - 127.0)
        for values, s in zip((left, right), scales, strict=True)
    )
    assert np.array_equal(verdict.outputs[0].values, a @ b.T)
