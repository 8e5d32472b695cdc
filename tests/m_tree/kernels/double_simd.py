"""y = x + x with vector registers written out."""

import tilelang
import tilelang.ascend.language as T

TILE = 256
LANES = 128


@tilelang.jit(target="ascend")
def double_simd(x):
    N = T.const("N")
    x: T.Tensor((N,), T.float16)
    y = T.empty((N,), T.float16)

    with T.Kernel(2) as core:
        x_ub = T.alloc_shared((TILE,), T.float16)
        y_ub = T.alloc_shared((TILE,), T.float16)
        for tile in T.Persistent([T.ceildiv(N, TILE)], 2, core, group_size=1):
            T.copy(x[tile * TILE], x_ub)
            with T.SimdVF():
                for i in T.serial(TILE // LANES):
                    value = T.simd.vld(x_ub[i * LANES])
                    total = T.simd.vadd(value, value)
                    T.simd.vsts(y_ub[i * LANES], total)
            T.copy(y_ub, y[tile * TILE])
    return y
