# case: output
# what: core c does tile c
# twin: all_cores_do_all_tiles.py
# chip: 950
# expect: clean
# values: y = 2 * x

import tilelang
import tilelang.ascend.language as T

CORES = 2
TILE = 512


@tilelang.jit(target="ascend")
def double(x):
    x: T.Tensor((CORES * TILE,), T.float32)
    y = T.empty((CORES * TILE,), T.float32)

    with T.Kernel(CORES) as core:
        tile = T.alloc_shared((TILE,), T.float32)
        for t in T.serial(core, core + 1):
            T.copy(x[t * TILE], tile)
            with T.SimtVF(threads=128):
                for i in T.Parallel(TILE):
                    tile[i] = tile[i] + tile[i]
            T.copy(tile, y[t * TILE])
    return y
