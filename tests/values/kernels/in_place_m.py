# chip: 950

import tilelang
import tilelang.ascend.language as T


@tilelang.jit(target="ascend")
def in_place_m(x):
    x: T.Tensor((1000,), T.float32)
    y = T.empty((1000,), T.float32)
    with T.Kernel(1) as core:
        tile = T.alloc_shared((1000,), T.float32)
        T.copy(x[0], tile)
        with T.SimtVF(threads=32):
            for i in T.Parallel(1000):
                tile[i] = tile[i] * T.float32(3)
        T.copy(tile, y[0])
    return y
