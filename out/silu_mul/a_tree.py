"""y = x * sigmoid(x) * gate, elementwise on 4096 x 1024 elements: TileLang for Ascend 910B.

Generated from specs/silu_mul.yaml; to regenerate, run: gen render specs/silu_mul.yaml
"""

import tilelang
import tilelang.language as T
import torch

N = 4096 * 1024
TILE = 6144
TILES = 683
CORES = 24
WORKERS = 2 * CORES
ROUNDS = 15
STAGES = 2


@tilelang.jit(out_idx=[-1])
def silu_mul():
    @T.prim_func
    def main(
        x: T.Tensor((N,), "float16"),
        gate: T.Tensor((N,), "float16"),
        y: T.Tensor((N,), "float16"),
    ):
        with T.Kernel(CORES, is_npu=True) as (cid, vid):
            x_ub = T.alloc_ub((STAGES, TILE), "float16")
            gate_ub = T.alloc_ub((STAGES, TILE), "float16")
            y_ub = T.alloc_ub((STAGES, TILE), "float16")
            w0 = T.alloc_ub((TILE,), "float32")
            w1 = T.alloc_ub((TILE,), "float32")

            with T.Scope("V"):
                for s in T.serial(STAGES):
                    T.set_flag("v", "mte2", s + 1)
                    T.set_flag("mte3", "v", s + 1)

                for i in T.serial(ROUNDS):
                    tile = i * WORKERS + cid * 2 + vid
                    slot = i % STAGES
                    if tile < TILES:
                        T.wait_flag("v", "mte2", slot + 1)
                        T.copy(x[tile * TILE], x_ub[slot, :])
                        T.copy(gate[tile * TILE], gate_ub[slot, :])
                        T.set_flag("mte2", "v", slot + 1)
                        T.wait_flag("mte2", "v", slot + 1)
                        T.pipe_barrier("v")
                        T.tile.cast(w0, x_ub[slot, :], "CAST_NONE", TILE)
                        T.pipe_barrier("v")
                        T.tile.sigmoid(w1, w0)
                        T.pipe_barrier("v")
                        T.tile.mul(w0, w0, w1)
                        T.pipe_barrier("v")
                        T.tile.cast(w1, gate_ub[slot, :], "CAST_NONE", TILE)
                        T.set_flag("v", "mte2", slot + 1)
                        T.pipe_barrier("v")
                        T.tile.mul(w0, w0, w1)
                        T.wait_flag("mte3", "v", slot + 1)
                        T.pipe_barrier("v")
                        T.tile.cast(y_ub[slot, :], w0, "CAST_RINT", TILE)
                        T.set_flag("v", "mte3", slot + 1)
                        T.wait_flag("v", "mte3", slot + 1)
                        T.copy(y_ub[slot, :], y[tile * TILE])
                        T.set_flag("mte3", "v", slot + 1)

                for s in T.serial(STAGES):
                    T.wait_flag("v", "mte2", s + 1)
                    T.wait_flag("mte3", "v", s + 1)

    return main


if __name__ == "__main__":
    torch.manual_seed(0)
    shape = (4096, 1024)
    x = torch.randn(shape, dtype=torch.float16, device="npu")
    gate = torch.randn(shape, dtype=torch.float16, device="npu")
    kernel = silu_mul()
    y = kernel(x.flatten(), gate.flatten()).view(shape)
    x_f32 = x.to(torch.float32)
    gate_f32 = gate.to(torch.float32)
    expected = x_f32 * torch.sigmoid(x_f32) * gate_f32
    torch.testing.assert_close(y, expected.to(torch.float16))
    print("silu_mul passed")
