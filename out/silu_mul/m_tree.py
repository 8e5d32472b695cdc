"""y = x * sigmoid(x) * gate, elementwise on 4096 x 1024 elements: TileLang for Ascend 950.

Generated from specs/silu_mul.yaml; to regenerate, run: gen render specs/silu_mul.yaml
"""

import tilelang
import tilelang.ascend.language as T
import torch

BLOCKS = 64
TILE = 6144
THREADS = 256


@tilelang.jit(target="ascend")
def silu_mul(x, gate):
    N = T.const("N")
    x: T.Tensor((N,), T.float16)
    gate: T.Tensor((N,), T.float16)
    y = T.empty((N,), T.float16)

    with T.Kernel(BLOCKS) as core:
        x_ub = T.alloc_shared((TILE,), T.float16)
        gate_ub = T.alloc_shared((TILE,), T.float16)
        y_ub = T.alloc_shared((TILE,), T.float16)
        T.annotate_buffer_versions({x_ub: 2, gate_ub: 2, y_ub: 2})

        for tile in T.Persistent([T.ceildiv(N, TILE)], BLOCKS, core, group_size=1, num_stages=2):
            T.copy(x[tile * TILE], x_ub)
            T.copy(gate[tile * TILE], gate_ub)
            with T.SimtVF(threads=THREADS):
                for i in T.Parallel(TILE):
                    x_f32 = T.cast(x_ub[i], T.float32)
                    gate_f32 = T.cast(gate_ub[i], T.float32)
                    y_ub[i] = T.cast(x_f32 * T.sigmoid(x_f32) * gate_f32, T.float16)
            T.copy(y_ub, y[tile * TILE])
    return y


if __name__ == "__main__":
    torch.manual_seed(0)
    shape = (4096, 1024)
    x = torch.randn(shape, dtype=torch.float16, device="npu")
    gate = torch.randn(shape, dtype=torch.float16, device="npu")
    y = silu_mul(x.flatten(), gate.flatten()).view(shape)
    x_f32 = x.to(torch.float32)
    gate_f32 = gate.to(torch.float32)
    expected = x_f32 * torch.sigmoid(x_f32) * gate_f32
    torch.testing.assert_close(y, expected.to(torch.float16))
    print("silu_mul passed")
