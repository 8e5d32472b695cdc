# case: must-not-flag 14
# what: one element: a single lane of a tile of 1024 is loaded and stored; the vector function computes whole tiles, lanes beyond the data are not stored
# chip: 950
# arg: N=1
# expect: clean
# values: y = 3 * x

import tilelang
import tilelang.ascend.language as T

CORES = 3
TILE = 1024


@tilelang.jit(target="ascend")
def triple(x):
    N = T.const("N")
    x: T.Tensor((N,), T.float32)
    y = T.empty((N,), T.float32)

    with T.Kernel(CORES) as core:
        x_ub = T.alloc_shared((TILE,), T.float32)
        y_ub = T.alloc_shared((TILE,), T.float32)
        for tile in T.Persistent([T.ceildiv(N, TILE)], CORES, core, group_size=1, num_stages=2):
            T.copy(x[tile * TILE], x_ub)
            with T.SimtVF(threads=256):
                for i in T.Parallel(TILE):
                    y_ub[i] = x_ub[i] * T.float32(3)
            T.copy(y_ub, y[tile * TILE])
    return y
