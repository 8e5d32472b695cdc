# case: must-not-flag 20
# what: the common language module is imported, and the target makes it an Ascend kernel
# chip: 950
# expect: clean
# values: y = x

import tilelang
import tilelang.language as T

CORES = 4
TILE = 1024


@tilelang.jit(target="ascend")
def duplicate(x):
    x: T.Tensor((CORES * TILE,), T.float32)
    y = T.empty((CORES * TILE,), T.float32)

    with T.Kernel(CORES) as core:
        tile = T.alloc_shared((TILE,), T.float32)
        T.copy(x[core * TILE : (core + 1) * TILE], tile)
        T.copy(tile, y[core * TILE : (core + 1) * TILE])
    return y
