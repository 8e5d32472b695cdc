# case: cube and vector
# what: without work for the Cube there is only one AIV: its half is all that is stored
# chip: 950
# expect: output-not-written @store

import tilelang
import tilelang.ascend.language as T

M = 64
N = 64


@tilelang.jit(target="ascend")
def double(x):
    x: T.Tensor((M, N), T.float32)
    y = T.empty((M, N), T.float32)

    with T.Kernel(1) as core:
        tile = T.alloc_shared((M // 2, N), T.float32)
        T.dual_copy(x, tile)
        with T.SimtVF(threads=256):
            for i, j in T.Parallel(M // 2, N):
                tile[i, j] = tile[i, j] + tile[i, j]
        T.dual_copy(tile, y)  # @store
    return y
