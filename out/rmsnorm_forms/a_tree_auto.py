"""RMSNorm of 4096 rows of 1024 elements, weighted: TileLang for Ascend 910B, synchronised by its compiler.

Generated from specs/rmsnorm_forms.yaml; to regenerate, run: gen render specs/rmsnorm_forms.yaml
"""

import tilelang
import tilelang.language as T
import torch

M, N = 4096, 1024
ROWS = 8
WIDTH = N
EPS = 1e-06
TILES = 512
CORES = 24
WORKERS = 2 * CORES
ROUNDS = 11


@tilelang.jit(
    out_idx=[-1],
    pass_configs={
        tilelang.PassConfigKey.TL_ASCEND_AUTO_SYNC: True,
        tilelang.PassConfigKey.TL_ASCEND_MEMORY_PLANNING: True,
    },
)
def rmsnorm_forms():
    @T.prim_func
    def main(
        x: T.Tensor((M, N), "bfloat16"),
        weight: T.Tensor((N,), "bfloat16"),
        y: T.Tensor((M, N), "bfloat16"),
    ):
        with T.Kernel(CORES, is_npu=True) as (cid, vid):
            x_ub = T.alloc_ub((ROWS, WIDTH), "bfloat16")
            y_ub = T.alloc_ub((ROWS, WIDTH), "bfloat16")
            weight_ub = T.alloc_ub((WIDTH,), "bfloat16")
            x_f32 = T.alloc_ub((ROWS, WIDTH), "float32")
            weight_f32 = T.alloc_ub((WIDTH,), "float32")
            square = T.alloc_ub((ROWS, WIDTH), "float32")
            rms = T.alloc_ub((ROWS, 1), "float32")

            with T.Scope("V"):
                T.copy(weight[0], weight_ub)
                T.tile.cast(weight_f32, weight_ub, "CAST_NONE", WIDTH)
                for i in T.serial(ROUNDS):
                    tile = i * WORKERS + cid * 2 + vid
                    if tile < TILES:
                        T.copy(x[tile * ROWS, 0], x_ub)
                        T.tile.cast(x_f32, x_ub, "CAST_NONE", ROWS * WIDTH)
                        T.tile.mul(square, x_f32, x_f32)
                        T.reduce_sum(square, rms, dim=-1)
                        T.tile.div(rms, rms, float(N))
                        T.tile.add(rms, rms, EPS)
                        T.tile.sqrt(rms, rms)
                        T.tile.broadcast(square, rms)
                        T.tile.div(x_f32, x_f32, square)
                        for r in T.serial(ROWS):
                            T.tile.mul(x_f32[r, :], x_f32[r, :], weight_f32)
                        T.tile.cast(y_ub, x_f32, "CAST_RINT", ROWS * WIDTH)
                        T.copy(y_ub, y[tile * ROWS, 0])

    return main


if __name__ == "__main__":
    torch.manual_seed(0)
    x = torch.randn(M, N, dtype=torch.bfloat16, device="npu")
    weight = torch.randn(N, dtype=torch.bfloat16, device="npu")
    kernel = rmsnorm_forms()
    y = kernel(x, weight)
    x_f32 = x.float()
    expected = x_f32 * torch.rsqrt(x_f32.square().mean(-1, keepdim=True) + EPS)
    torch.testing.assert_close(
        y, (expected * weight.float()).to(torch.bfloat16), rtol=1e-2, atol=1e-2
    )
    print("rmsnorm_forms passed")
