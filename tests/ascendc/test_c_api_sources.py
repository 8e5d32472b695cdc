"""Sources against the C API: arrays in UB, copies by blocks, arithmetic on memory."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from gen.chips import ASCEND910B
from gen.compile.ascendc import compile
from gen.compile.ub_arrays import rewrite_ub_arrays
from gen.sim import Profile, Run, run_program

SOURCE = """\
#include <fstream>
#include <vector>
#include "acl/acl.h"
#include "c_api/asc_simd.h"

constexpr uint32_t TILE = 512;

__vector__ __global__ void mixed(__gm__ float* x, __gm__ float* y, __gm__ float* z)
{
    asc_init();
    __ubuf__ float a[TILE];
    __ubuf__ float b[TILE];
    __ubuf__ float c[2 * TILE];
    __gm__ float* from = x + block_idx * TILE;
    asc_copy_gm2ub(a, from, TILE * sizeof(float));
    asc_copy_gm2ub(b, y + block_idx * TILE, 2, 32, 0, 0);
    SYNC
    asc_sub(c, a, b, TILE);
    asc_mul(c + TILE, a, b, 8, 1, 1, 1, 8, 8, 8);
    asc_sync();
    asc_copy_ub2gm_sync(z + 2 * block_idx * TILE, c, 2 * TILE * sizeof(float));
}

int main()
{
    std::vector<float> x(1024), y(1024), z(2048);
    std::ifstream("x.bin", std::ios::binary).read((char*)x.data(), 4096);
    std::ifstream("y.bin", std::ios::binary).read((char*)y.data(), 4096);
    float *on_x, *on_y, *on_z;
    aclrtMalloc((void**)&on_x, 4096, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMalloc((void**)&on_y, 4096, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMalloc((void**)&on_z, 8192, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMemcpy(on_x, 4096, x.data(), 4096, ACL_MEMCPY_HOST_TO_DEVICE);
    aclrtMemcpy(on_y, 4096, y.data(), 4096, ACL_MEMCPY_HOST_TO_DEVICE);
    mixed<<<2, nullptr, nullptr>>>(on_x, on_y, on_z);
    aclrtMemcpy(z.data(), 8192, on_z, 8192, ACL_MEMCPY_DEVICE_TO_HOST);
    std::ofstream("z.bin", std::ios::binary).write((char*)z.data(), 8192);
    return 0;
}
"""


def outcome(folder: Path, sync: str) -> Run:
    path = folder / "mixed.asc"
    path.write_text(SOURCE.replace("SYNC", sync))
    for name, start in (("x", 0), ("y", 7)):
        (np.arange(1024, dtype=np.float32) + start).tofile(folder / f"{name}.bin")
    program = compile(path, ASCEND910B).program
    return run_program(program, cwd=folder, profile=Profile(chip="2201"), timeout=60)


def test_values_and_order(tmp_path: Path) -> None:
    done = outcome(tmp_path, "asc_sync();")
    assert done.clean, done
    x, y = (np.fromfile(tmp_path / f"{n}.bin", np.float32).reshape(2, 512) for n in "xy")
    z = np.fromfile(tmp_path / "z.bin", np.float32).reshape(2, 2, 512)
    np.testing.assert_array_equal(z[:, 0], x - y)
    np.testing.assert_array_equal(z[:, 1], x * y)


def test_a_missing_wait_is_found(tmp_path: Path) -> None:
    done = outcome(tmp_path, "")
    assert {f.code for f in done.errors} == {"race-raw"}
    line = done.errors[0].second.line if done.errors[0].second else None
    assert line is not None
    assert line.line == 18


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("__ubuf__ half a[N * 2];", "__ubuf__ half* a = AICORE_UB_ARRAY(half, (N * 2));"),
        ("// __ubuf__ half a[2];", "// __ubuf__ half a[2];"),
        ("__ubuf__ half* a;", "__ubuf__ half* a;"),
    ],
)
def test_arrays_become_pointers(text: str, expected: str) -> None:
    assert rewrite_ub_arrays(text) == expected
