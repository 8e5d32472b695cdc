"""RMSNorm of 4096 rows of 1024 elements, weighted: TileLang for Ascend 950, synchronised by hand.

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
STAGES = 2


@tilelang.jit(target="ascend", pass_configs={tilelang.PassConfigKey.TL_ENABLE_AUTO_SCHEDULE: False})
def rmsnorm_forms(x, weight):
    M, N = T.const("M, N")
    x: T.Tensor((M, N), T.bfloat16)
    weight: T.Tensor((N,), T.bfloat16)
    y = T.empty((M, N), T.bfloat16)
    tiles = T.ceildiv(M, ROWS)

    with T.Kernel(BLOCKS) as core:
        x_ub = T.alloc_shared((STAGES, ROWS, WIDTH), T.bfloat16)
        weight_ub = T.alloc_shared((WIDTH,), T.bfloat16)
        y_ub = T.alloc_shared((STAGES, ROWS, WIDTH), T.bfloat16)

        T.copy(weight, weight_ub)

        for s in T.serial(STAGES):
            T.ascend_set_flag("V_MTE2", s)
            T.ascend_set_flag("MTE3_V", s)

        for step in T.serial(T.ceildiv(tiles, BLOCKS)):
            tile = step * BLOCKS + core
            slot = step % STAGES
            row = tile * ROWS
            T.ascend_wait_flag("V_MTE2", slot)
            T.copy(x[row : row + ROWS, 0:N], x_ub[slot, :, :])
            T.ascend_set_flag("MTE2_V", slot)
            T.ascend_wait_flag("MTE2_V", slot)
            T.ascend_wait_flag("MTE3_V", slot)
            with T.SimtVF(threads=THREADS):
                x_f32 = T.alloc_fragment((ROWS, WIDTH), T.float32)
                square = T.alloc_fragment((ROWS, WIDTH), T.float32)
                scale = T.alloc_fragment((ROWS,), T.float32)
                for i, j in T.Parallel(ROWS, WIDTH):
                    x_f32[i, j] = T.cast(x_ub[slot, i, j], T.float32)
                for i, j in T.Parallel(ROWS, WIDTH):
                    square[i, j] = x_f32[i, j] * x_f32[i, j]
                T.reduce_sum(square, scale, dim=1)
                for i in T.Parallel(ROWS):
                    scale[i] = T.rsqrt(scale[i] / N + EPS)
                for i, j in T.Parallel(ROWS, WIDTH):
                    y_ub[slot, i, j] = T.cast(
                        x_f32[i, j] * scale[i] * T.cast(weight_ub[j], T.float32), T.bfloat16
                    )
            T.ascend_set_flag("V_MTE2", slot)
            T.ascend_set_flag("V_MTE3", slot)
            T.ascend_wait_flag("V_MTE3", slot)
            T.copy(y_ub[slot, :, :], y[row : row + ROWS, 0:N])
            T.ascend_set_flag("MTE3_V", slot)

        for s in T.serial(STAGES):
            T.ascend_wait_flag("V_MTE2", s)
            T.ascend_wait_flag("MTE3_V", s)
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
