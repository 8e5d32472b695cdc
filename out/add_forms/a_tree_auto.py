"""z = x + y, elementwise on 4096 x 1024 elements: TileLang for Ascend 910B, synchronised by its compiler.

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


@tilelang.jit(
    out_idx=[-1],
    pass_configs={
        tilelang.PassConfigKey.TL_ASCEND_AUTO_SYNC: True,
        tilelang.PassConfigKey.TL_ASCEND_MEMORY_PLANNING: True,
    },
)
def add_forms():
    @T.prim_func
    def main(
        x: T.Tensor((N,), "float32"),
        y: T.Tensor((N,), "float32"),
        z: T.Tensor((N,), "float32"),
    ):
        with T.Kernel(CORES, is_npu=True) as (cid, vid):
            x_ub = T.alloc_ub((TILE,), "float32")
            y_ub = T.alloc_ub((TILE,), "float32")
            z_ub = T.alloc_ub((TILE,), "float32")

            with T.Scope("V"):
                for i in T.serial(ROUNDS):
                    tile = i * WORKERS + cid * 2 + vid
                    if tile < TILES:
                        T.copy(x[tile * TILE], x_ub)
                        T.copy(y[tile * TILE], y_ub)
                        T.tile.add(z_ub, x_ub, y_ub)
                        T.copy(z_ub, z[tile * TILE])

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
