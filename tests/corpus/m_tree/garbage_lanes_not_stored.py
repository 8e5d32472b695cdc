# case: must-not-flag 15
# what: a quarter of the tile is loaded and stored; the vector function computes all of it
# twin: garbage_lanes_stored.py
# chip: 950
# expect: clean
# values: y = x * x

import tilelang
import tilelang.ascend.language as T

TILE = 1024
USED = 250


@tilelang.jit(target="ascend")
def square(x):
    x: T.Tensor((USED,), T.float32)
    y = T.empty((USED,), T.float32)

    with T.Kernel(1) as core:
        tile = T.alloc_shared((TILE,), T.float32)
        T.copy(x, tile[0:USED])
        with T.SimtVF(threads=256):
            for i in T.Parallel(TILE):
                tile[i] = tile[i] * tile[i]
        T.copy(tile[0:USED], y)
    return y
