# case: K13
# what: 250 lanes are loaded and 256 stored, because 256 is a round number
# twin: garbage_lanes_not_stored.py
# chip: 950
# expect: uninitialised-read UB @square @store

import tilelang
import tilelang.ascend.language as T

TILE = 1024
USED = 250
STORED = 256


@tilelang.jit(target="ascend")
def square(x):
    x: T.Tensor((USED,), T.float32)
    y = T.empty((STORED,), T.float32)

    with T.Kernel(1) as core:
        tile = T.alloc_shared((TILE,), T.float32)
        T.copy(x, tile[0:USED])
        with T.SimtVF(threads=256):  # @square
            for i in T.Parallel(TILE):
                tile[i] = tile[i] * tile[i]
        T.copy(tile[0:STORED], y)  # @store
    return y
