# case: must-not-flag 14
# what: rows and columns both end inside a tile; the copies are clamped on both sides
# chip: 950
# arg: M=37 N=131
# expect: clean
# values: y = np.maximum(x, 0)

import tilelang
import tilelang.ascend.language as T

CORES = 4
TILE_M = 16
TILE_N = 64


@tilelang.jit(target="ascend")
def relu(x):
    M, N = T.const("M, N")
    x: T.Tensor((M, N), T.float16)
    y = T.empty((M, N), T.float16)

    with T.Kernel(CORES) as core:
        x_ub = T.alloc_shared((TILE_M, TILE_N), T.float16)
        y_ub = T.alloc_shared((TILE_M, TILE_N), T.float16)
        for m, n in T.Persistent([T.ceildiv(M, TILE_M), T.ceildiv(N, TILE_N)], CORES, core):
            T.copy(x[m * TILE_M, n * TILE_N], x_ub)
            with T.SimtVF(threads=128):
                for i, j in T.Parallel(TILE_M, TILE_N):
                    y_ub[i, j] = T.max(x_ub[i, j], T.float16(0))
            T.copy(y_ub, y[m * TILE_M, n * TILE_N])
    return y
