"""z = x + y, elementwise on 4096 x 1024 elements: TileLang for Ascend 950, synchronised by hand.

Generated from specs/add_forms.yaml; to regenerate, run: gen render specs/add_forms.yaml
"""

import tilelang
import tilelang.ascend.language as T
import torch

BLOCKS = 64
TILE = 7168
THREADS = 256
STAGES = 2


@tilelang.jit(target="ascend", pass_configs={tilelang.PassConfigKey.TL_ENABLE_AUTO_SCHEDULE: False})
def add_forms(x, y):
    N = T.const("N")
    x: T.Tensor((N,), T.float32)
    y: T.Tensor((N,), T.float32)
    z = T.empty((N,), T.float32)

    with T.Kernel(BLOCKS) as core:
        x_ub = T.alloc_shared((STAGES, TILE), T.float32)
        y_ub = T.alloc_shared((STAGES, TILE), T.float32)
        z_ub = T.alloc_shared((STAGES, TILE), T.float32)

        for s in T.serial(STAGES):
            T.ascend_set_flag("V_MTE2", s)
            T.ascend_set_flag("MTE3_V", s)

        for step in T.serial(T.ceildiv(T.ceildiv(N, TILE), BLOCKS)):
            tile = step * BLOCKS + core
            slot = step % STAGES
            if tile < T.ceildiv(N, TILE):
                T.ascend_wait_flag("V_MTE2", slot)
                T.copy(x[tile * TILE : (tile + 1) * TILE], x_ub[slot, :])
                T.copy(y[tile * TILE : (tile + 1) * TILE], y_ub[slot, :])
                T.ascend_set_flag("MTE2_V", slot)
                T.ascend_wait_flag("MTE2_V", slot)
                T.ascend_wait_flag("MTE3_V", slot)
                with T.SimtVF(threads=THREADS):
                    for i in T.Parallel(TILE):
                        z_ub[slot, i] = x_ub[slot, i] + y_ub[slot, i]
                T.ascend_set_flag("V_MTE2", slot)
                T.ascend_set_flag("V_MTE3", slot)
                T.ascend_wait_flag("V_MTE3", slot)
                T.copy(z_ub[slot, :], z[tile * TILE : (tile + 1) * TILE])
                T.ascend_set_flag("MTE3_V", slot)

        for s in T.serial(STAGES):
            T.ascend_wait_flag("V_MTE2", s)
            T.ascend_wait_flag("MTE3_V", s)
    return z


if __name__ == "__main__":
    torch.manual_seed(0)
    shape = (4096, 1024)
    x = torch.randn(shape, dtype=torch.float32, device="npu")
    y = torch.randn(shape, dtype=torch.float32, device="npu")
    z = add_forms(x.flatten(), y.flatten()).view(shape)
    expected = x + y
    torch.testing.assert_close(z, expected)
    print("add_forms passed")
