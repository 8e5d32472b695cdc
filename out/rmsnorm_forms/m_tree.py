"""RMSNorm of 4096 rows of 1024 elements, weighted: TileLang for Ascend 950.

Generated from specs/rmsnorm_forms.yaml; to regenerate, run: gen render specs/rmsnorm_forms.yaml
"""

import tilelang
import tilelang.ascend.language as T
import torch

BLOCKS = 64
ROWS = 8
WIDTH = 1024
THREADS = 256
EPS = 1e-06


@tilelang.jit(target="ascend")
def rmsnorm_forms(x, weight):
    M, N = T.const("M, N")
    x: T.Tensor((M, N), T.bfloat16)
    weight: T.Tensor((N,), T.bfloat16)
    y = T.empty((M, N), T.bfloat16)

    with T.Kernel(BLOCKS) as core:
        x_ub = T.alloc_shared((ROWS, WIDTH), T.bfloat16)
        weight_ub = T.alloc_shared((WIDTH,), T.bfloat16)
        y_ub = T.alloc_shared((ROWS, WIDTH), T.bfloat16)
        T.annotate_buffer_versions({x_ub: 2, y_ub: 2})

        T.copy(weight, weight_ub)
        for tile in T.Persistent([T.ceildiv(M, ROWS)], BLOCKS, core, group_size=1, num_stages=2):
            row = tile * ROWS
            T.copy(x[row, 0], x_ub)
            with T.SimtVF(threads=THREADS):
                x_f32 = T.alloc_fragment((ROWS, WIDTH), T.float32)
                square = T.alloc_fragment((ROWS, WIDTH), T.float32)
                scale = T.alloc_fragment((ROWS,), T.float32)
                for i, j in T.Parallel(ROWS, WIDTH):
                    x_f32[i, j] = T.cast(x_ub[i, j], T.float32)
                for i, j in T.Parallel(ROWS, WIDTH):
                    square[i, j] = x_f32[i, j] * x_f32[i, j]
                T.reduce_sum(square, scale, dim=1)
                for i in T.Parallel(ROWS):
                    scale[i] = T.rsqrt(scale[i] / N + EPS)
                for i, j in T.Parallel(ROWS, WIDTH):
                    y_ub[i, j] = T.cast(
                        x_f32[i, j] * scale[i] * T.cast(weight_ub[j], T.float32), T.bfloat16
                    )
            T.copy(y_ub, y[row, 0])
    return y


if __name__ == "__main__":
    torch.manual_seed(0)
    x = torch.randn(4096, 1024, dtype=torch.bfloat16, device="npu")
    weight = torch.randn(1024, dtype=torch.bfloat16, device="npu")
    y = rmsnorm_forms(x, weight)
    x_f32 = x.float()
    expected = x_f32 * torch.rsqrt(x_f32.square().mean(-1, keepdim=True) + EPS)
    torch.testing.assert_close(
        y, (expected * weight.float()).to(torch.bfloat16), rtol=1e-2, atol=1e-2
    )
    print("rmsnorm_forms passed")
