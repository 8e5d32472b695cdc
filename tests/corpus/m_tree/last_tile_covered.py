# case: output
# what: the number of tiles is rounded up, and the copies are clamped
# twin: last_tile_not_covered.py
# chip: 950
# arg: N=2148
# expect: clean
# values: y = 2 * x

import tilelang
import tilelang.ascend.language as T

CORES = 2
TILE = 512


@tilelang.jit(target="ascend")
def double(x):
    N = T.const("N")
    x: T.Tensor((N,), T.float32)
    y = T.empty((N,), T.float32)

    with T.Kernel(CORES) as core:
        tile = T.alloc_shared((TILE,), T.float32)
        for t in T.Persistent([T.ceildiv(N, TILE)], CORES, core, group_size=1):
            T.copy(x[t * TILE], tile)
            with T.SimtVF(threads=128):
                for i in T.Parallel(TILE):
                    tile[i] = tile[i] + tile[i]
            T.copy(tile, y[t * TILE])
    return y
