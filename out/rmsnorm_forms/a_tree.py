"""RMSNorm of 4096 rows of 1024 elements, weighted: TileLang for Ascend 910B.

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
STAGES = 2


@tilelang.jit(out_idx=[-1])
def rmsnorm_forms():
    @T.prim_func
    def main(
        x: T.Tensor((M, N), "bfloat16"),
        weight: T.Tensor((N,), "bfloat16"),
        y: T.Tensor((M, N), "bfloat16"),
    ):
        with T.Kernel(CORES, is_npu=True) as (cid, vid):
            x_ub = T.alloc_ub((STAGES, ROWS, WIDTH), "bfloat16")
            y_ub = T.alloc_ub((STAGES, ROWS, WIDTH), "bfloat16")
            weight_ub = T.alloc_ub((WIDTH,), "bfloat16")
            x_f32 = T.alloc_ub((ROWS, WIDTH), "float32")
            weight_f32 = T.alloc_ub((WIDTH,), "float32")
            square = T.alloc_ub((ROWS, WIDTH), "float32")
            rms = T.alloc_ub((ROWS, 1), "float32")

            with T.Scope("V"):
                T.copy(weight[0], weight_ub)
                T.set_flag("mte2", "v", STAGES + 1)
                T.wait_flag("mte2", "v", STAGES + 1)
                T.tile.cast(weight_f32, weight_ub, "CAST_NONE", WIDTH)

                for s in T.serial(STAGES):
                    T.set_flag("v", "mte2", s + 1)
                    T.set_flag("mte3", "v", s + 1)

                for i in T.serial(ROUNDS):
                    tile = i * WORKERS + cid * 2 + vid
                    slot = i % STAGES
                    if tile < TILES:
                        T.wait_flag("v", "mte2", slot + 1)
                        T.copy(x[tile * ROWS, 0], x_ub[slot, :, :])
                        T.set_flag("mte2", "v", slot + 1)
                        T.wait_flag("mte2", "v", slot + 1)
                        T.pipe_barrier("v")
                        T.tile.cast(x_f32, x_ub[slot, :, :], "CAST_NONE", ROWS * WIDTH)
                        T.set_flag("v", "mte2", slot + 1)
                        T.pipe_barrier("v")
                        T.tile.mul(square, x_f32, x_f32)
                        T.pipe_barrier("v")
                        T.reduce_sum(square, rms, dim=-1)
                        T.pipe_barrier("v")
                        T.tile.div(rms, rms, float(N))
                        T.pipe_barrier("v")
                        T.tile.add(rms, rms, EPS)
                        T.pipe_barrier("v")
                        T.tile.sqrt(rms, rms)
                        T.pipe_barrier("v")
                        T.tile.broadcast(square, rms)
                        T.pipe_barrier("v")
                        T.tile.div(x_f32, x_f32, square)
                        T.pipe_barrier("v")
                        for r in T.serial(ROWS):
                            T.tile.mul(x_f32[r, :], x_f32[r, :], weight_f32)
                        T.pipe_barrier("v")
                        T.wait_flag("mte3", "v", slot + 1)
                        T.tile.cast(y_ub[slot, :, :], x_f32, "CAST_RINT", ROWS * WIDTH)
                        T.set_flag("v", "mte3", slot + 1)
                        T.wait_flag("v", "mte3", slot + 1)
                        T.copy(y_ub[slot, :, :], y[tile * ROWS, 0])
                        T.set_flag("mte3", "v", slot + 1)

                for s in T.serial(STAGES):
                    T.wait_flag("v", "mte2", s + 1)
                    T.wait_flag("mte3", "v", s + 1)

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
