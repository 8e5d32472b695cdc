"""Small files with scripts of their own, as people write them."""

from __future__ import annotations

from pathlib import Path

HOST = """\
#include <fstream>
#include <vector>
#include "acl/acl.h"
#include "kernel_operator.h"

__vector__ __global__ void scaled(GM_ADDR x, GM_ADDR y)
{
    AscendC::InitSocState();
    AscendC::GlobalTensor<float> in, out;
    in.SetGlobalBuffer((__gm__ float*)x, 256);
    out.SetGlobalBuffer((__gm__ float*)y, 256);
    AscendC::LocalTensor<float> a(AscendC::TPosition::VECIN, 0, 256), b(AscendC::TPosition::VECOUT, 1024, 256);
    AscendC::DataCopy(a, in, 256);
    AscendC::SetFlag<AscendC::HardEvent::MTE2_V>(EVENT_ID0);
    AscendC::WaitFlag<AscendC::HardEvent::MTE2_V>(EVENT_ID0);
    AscendC::Muls(b, a, float(FACTOR), 256);
    AscendC::SetFlag<AscendC::HardEvent::V_MTE3>(EVENT_ID0);
    AscendC::WaitFlag<AscendC::HardEvent::V_MTE3>(EVENT_ID0);
    AscendC::DataCopy(out, b, 256);
    AscendC::PipeBarrier<PIPE_ALL>();
}

int main()
{
    std::vector<float> x(256), y(256);
    READ
    uint8_t *on_x, *on_y;
    aclrtMalloc((void**)&on_x, 1024, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMalloc((void**)&on_y, 1024, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMemcpy(on_x, 1024, x.data(), 1024, ACL_MEMCPY_HOST_TO_DEVICE);
    scaled<<<1, nullptr, nullptr>>>(on_x, on_y);
    aclrtMemcpy(y.data(), 1024, on_y, 1024, ACL_MEMCPY_DEVICE_TO_HOST);
    aclrtFree(on_x);
    aclrtFree(on_y);
    WRITE
}
"""
READ = 'std::ifstream("input/x.bin", std::ios::binary).read((char*)x.data(), 1024);'
WRITE = 'std::ofstream("output/y.bin", std::ios::binary).write((char*)y.data(), 1024); return 0;'
MAKES = """\
import sys
import numpy as np
factor = float(sys.argv[1].partition("=")[2])
x = np.random.uniform(-1, 1, 256).astype(np.float32)
x.tofile("input/x.bin")
(x * np.float32(factor)).tofile("output/golden.bin")
"""
CHECKS = """\
import sys
import numpy as np
found, golden = (np.fromfile(name, np.float32) for name in sys.argv[1:])
print("test pass!" if np.array_equal(found, golden) else "test failed")
sys.exit(not np.array_equal(found, golden))
"""
README = """\
# A sample
Run `gen_data.py` first:
  python3 ../scripts/gen_data.py -factor=$FACTOR   # makes the inputs
  ./demo
  python3 ../scripts/verify_result.py output/y.bin output/golden.bin   # compares
"""


def sample(folder: Path, *, makes: str = MAKES) -> Path:
    """A sample with scripts; FACTOR is a macro that it is built with."""
    (folder / "scripts").mkdir(parents=True)
    (folder / "scripts" / "gen_data.py").write_text(makes)
    (folder / "scripts" / "verify_result.py").write_text(CHECKS)
    (folder / "README.md").write_text(README)
    path = folder / "scaled.asc"
    path.write_text(HOST.replace("READ", READ).replace("WRITE", WRITE))
    return path


def judging_itself(folder: Path, expected: str) -> Path:
    """A sample whose main() compares: right where FACTOR is `expected`."""
    check = (
        f"for (int i = 0; i < 256; ++i) if (y[i] != i * float({expected})) return 1;"
        ' std::puts("all match"); return 0;'
    )
    fill = "for (int i = 0; i < 256; ++i) x[i] = i;"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "own.asc"
    path.write_text(HOST.replace("READ", fill).replace("WRITE", check))
    return path


A_TREE = """\
import argparse
import tilelang
import tilelang.language as T
import torch
from tilelang.profiler import do_bench

tilelang.cache.clear_cache()
parser = argparse.ArgumentParser()
parser.add_argument("--rows", type=int, default=64)
ROWS = parser.parse_args().rows
SCALE = 2.0


@tilelang.jit(out_idx=[1], pass_configs={tilelang.PassConfigKey.TL_ASCEND_AUTO_SYNC: True})
def scaled(M, N, dtype="float"):
    half = 32

    @T.prim_func
    def main(x: T.Tensor((M, N), dtype), y: T.Tensor((M, N), dtype)):
        with T.Kernel(M // 64, is_npu=True) as (cid, vid):
            a = T.alloc_ub((half, N), dtype)
            with T.Scope("V"):
                T.copy(x[cid * 64 + vid * half, 0], a)
                T.barrier_all()
                T.tile.mul(a, a, SCALE)
                T.barrier_all()
                T.copy(a, y[cid * 64 + vid * half, 0])

    return main


for M, N in [(ROWS, 64), (2 * ROWS, 128)]:
    func = scaled(M, N)
    x = torch.randn(M, N, device="npu")
    y = func(x)
    do_bench(lambda: func(x))
    torch.testing.assert_close(y.cpu(), FACTOR * x.npu())
    print("passed", M, N)
"""

M_TREE = """\
import torch
import tilelang
import tilelang.language as T


def doubled(n, tile=1024):
    @T.prim_func
    def main(X: T.Tensor((n,), "float32"), Y: T.Tensor((n,), "float32")):
        with T.Kernel(n // tile) as bx:
            x = T.alloc_shared((tile,), "float32")
            y = T.alloc_shared((tile,), "float32")
            T.copy(X[bx * tile : bx * tile + tile], x)
            with T.SimtVF(threads=256):
                for i in T.Parallel(tile):
                    y[i] = x[i] + x[i]
            T.copy(y, Y[bx * tile : bx * tile + tile])

    return main


N = 2**30


def test_doubled(target="ascend"):
    kernel = tilelang.compile(doubled(N), out_idx=-1, target=target)
    x = torch.randn(N, device=torch.device("npu"))
    y = kernel(x)
    assert torch.equal(y, FACTOR * x), "other numbers"


if __name__ == "__main__":
    test_doubled()
    test_doubled("pto")
"""
M_TREE_OF_ANY_HEIGHT = """\
import torch
import tilelang
import tilelang.language as T
from tilelang.profiler import do_bench


def doubled(width=256):
    rows = T.dynamic("m")

    @T.prim_func
    def main(X: T.Tensor((rows, width), "float32"), Y: T.Tensor((rows, width), "float32")):
        with T.Kernel(4) as bx:
            x = T.alloc_shared((width,), "float32")
            for i in T.serial(T.ceildiv(rows, 4)):
                row = i * 4 + bx
                if row < rows:
                    T.copy(X[row, :], x)
                    with T.SimdVF():
                        for k in T.Parallel(width):
                            x[k] = x[k] + x[k]
                    T.copy(x, Y[row, :])

    return main


kernel = tilelang.compile(doubled(), target="asc")
for rows in (8, 5):
    x = torch.randn(rows, 256, device="npu")
    y = torch.empty_like(x)
    kernel(x, y)
    torch.testing.assert_close(y, 2 * x)
took = do_bench(lambda: kernel(x, y), backend="msprof_detail")
print(f"{took.dur_us:.1f} us, {took.tflops(2.0):.1f} TFLOPS, {1 / took:.1f}, {took.aic_mad * 100:.0f} %")
"""
