"""z = x + y, elementwise on 4096 x 1024 elements: TileLang for Ascend 910B.

Generated from specs/add_forms.yaml; to regenerate, run: gen render specs/add_forms.yaml
"""

import tilelang
import tilelang.language as T
import torch

N = 4096 * 1024
TILE = 7168
TILES = 586
CORES = 24
WORKERS = 2 * CORES
ROUNDS = 13
STAGES = 2


@tilelang.jit(out_idx=[-1])
def add_forms():
    @T.prim_func
    def main(
        x: T.Tensor((N,), "float32"),
        y: T.Tensor((N,), "float32"),
        z: T.Tensor((N,), "float32"),
    ):
        with T.Kernel(CORES, is_npu=True) as (cid, vid):
            x_ub = T.alloc_ub((STAGES, TILE), "float32")
            y_ub = T.alloc_ub((STAGES, TILE), "float32")
            z_ub = T.alloc_ub((STAGES, TILE), "float32")

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
                        T.copy(y[tile * TILE], y_ub[slot, :])
                        T.set_flag("mte2", "v", slot + 1)
                        T.wait_flag("mte2", "v", slot + 1)
                        T.wait_flag("mte3", "v", slot + 1)
                        T.tile.add(z_ub[slot, :], x_ub[slot, :], y_ub[slot, :])
                        T.set_flag("v", "mte2", slot + 1)
                        T.set_flag("v", "mte3", slot + 1)
                        T.wait_flag("v", "mte3", slot + 1)
                        T.copy(z_ub[slot, :], z[tile * TILE])
                        T.set_flag("mte3", "v", slot + 1)

                for s in T.serial(STAGES):
                    T.wait_flag("v", "mte2", s + 1)
                    T.wait_flag("mte3", "v", s + 1)

    return main


if __name__ == "__main__":
    torch.manual_seed(0)
    shape = (4096, 1024)
    x = torch.randn(shape, dtype=torch.float32, device="npu")
    y = torch.randn(shape, dtype=torch.float32, device="npu")
    kernel = add_forms()
    z = kernel(x.flatten(), y.flatten()).view(shape)
    expected = x + y
    torch.testing.assert_close(z, expected)
    print("add_forms passed")
