"""DumpTensor of the memories of the Cube core and of 8-bit floats: what stands there, in the order of the memory."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from gen.check import Outcome
from gen.check.foreign import RunOptions, run_file

KERNEL = """\
// chip: 950
// launch: blocks=1 bias=float32[32]:in factors=uint64[16]:in small=uint8[32]:in done=int32[1]:out
#include "kernel_operator.h"
using namespace AscendC;

__global__ __cube__ void dumps(GM_ADDR bias, GM_ADDR factors, GM_ADDR small, GM_ADDR done)
{
    InitSocState();
    GlobalTensor<float> biasGm;
    GlobalTensor<uint64_t> factorsGm;
    GlobalTensor<fp8_e4m3fn_t> smallGm;
    biasGm.SetGlobalBuffer((__gm__ float*)bias);
    factorsGm.SetGlobalBuffer((__gm__ uint64_t*)factors);
    smallGm.SetGlobalBuffer((__gm__ fp8_e4m3fn_t*)small);
    LocalTensor<float> bias1(TPosition::C1, 0, 32), bias2(TPosition::C2, 0, 32);
    LocalTensor<uint64_t> factors1(TPosition::C1, 128, 16), factors2(TPosition::C2PIPE2GM, 0, 16);
    LocalTensor<fp8_e4m3fn_t> small1(TPosition::A1, 256, 32);
    DataCopy(bias1, biasGm, 32);
    DataCopy(factors1, factorsGm, 16);
    DataCopy(small1, smallGm, 32);
    DumpTensor(small1, 1, 4);
    DataCopy(bias2, bias1, {1, 4, 0, 0});
    DataCopy(factors2, factors1, {1, 1, 0, 0});
    DumpTensor(bias2[8], 2, 3);
    DumpTensor(factors2, 3, 2);
    GlobalTensor<int32_t> doneGm;
    doneGm.SetGlobalBuffer((__gm__ int32_t*)done);
    doneGm.SetValue(0, 1);
}
"""


def test_what_stands_in_the_memories_of_the_cube_core(tmp_path: Path) -> None:
    small = np.array([0x38, 0xB8, 0x7E, 0x01] + [0] * 28, np.uint8)  # 1, -1, 448, 2^-9
    factors = np.array([0x3F80_1FFF, 2**60 + 2**46 + 255] + [0] * 14, np.uint64)
    inputs = {}
    for name, values in {
        "bias": np.arange(32, dtype=np.float32),
        "factors": factors,
        "small": small,
    }.items():
        values.tofile(tmp_path / f"{name}.bin")
        inputs[name] = f"{values.dtype}[{values.size}]={tmp_path / name}.bin"
    path = tmp_path / "dumps.asc"
    path.write_text(KERNEL)
    verdict = run_file(path, RunOptions(inputs=inputs))
    assert verdict.outcome is Outcome.CLEAN, (verdict.reason, verdict.faults, verdict.diagnostics)
    lines = [line.split(": ", 1)[1] for line in verdict.printed.splitlines()]
    kept = [0x3F80_0000 + 0xFF, 2**46 + 255]
    assert lines == [
        "DumpTensor 1: 1 -1 448 0.00195312",
        "DumpTensor 2: 8 9 10",
        "DumpTensor 3: " + " ".join(f"{value:g}" for value in kept),
    ]
