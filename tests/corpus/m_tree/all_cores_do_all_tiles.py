# case: output
# what: the tiles are not divided among the cores: each core stores every row
# twin: each_core_its_own_tile.py
# chip: 950
# expect: output-written-twice @store

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
        for t in T.serial(CORES):
            T.copy(x[t * TILE], tile)
            with T.SimtVF(threads=128):
                for i in T.Parallel(TILE):
                    tile[i] = tile[i] + tile[i]
            T.copy(tile, y[t * TILE])  # @store
    return y
