"""z = x + y, elementwise on 4096 x 1024 elements: TileLang for Ascend 950.

Generated from specs/add_forms.yaml; to regenerate, run: gen render specs/add_forms.yaml
"""

import tilelang
import tilelang.ascend.language as T
import torch

BLOCKS = 64
TILE = 7168
THREADS = 256


@tilelang.jit(target="ascend")
def add_forms(x, y):
    N = T.const("N")
    x: T.Tensor((N,), T.float32)
    y: T.Tensor((N,), T.float32)
    z = T.empty((N,), T.float32)

    with T.Kernel(BLOCKS) as core:
        x_ub = T.alloc_shared((TILE,), T.float32)
        y_ub = T.alloc_shared((TILE,), T.float32)
        z_ub = T.alloc_shared((TILE,), T.float32)
        T.annotate_buffer_versions({x_ub: 2, y_ub: 2, z_ub: 2})

        for tile in T.Persistent([T.ceildiv(N, TILE)], BLOCKS, core, group_size=1, num_stages=2):
            T.copy(x[tile * TILE], x_ub)
            T.copy(y[tile * TILE], y_ub)
            with T.SimtVF(threads=THREADS):
                for i in T.Parallel(TILE):
                    z_ub[i] = x_ub[i] + y_ub[i]
            T.copy(z_ub, z[tile * TILE])
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
