# case: output
# what: neighbouring cores store the 16 elements between them both
# chip: 950
# expect: output-written-twice @store

import tilelang
import tilelang.ascend.language as T

CORES = 4
TILE = 256
STEP = 240


@tilelang.jit(target="ascend")
def smooth(x):
    x: T.Tensor((CORES * STEP + 16,), T.float32)
    y = T.empty((CORES * STEP + 16,), T.float32)

    with T.Kernel(CORES) as core:
        tile = T.alloc_shared((TILE,), T.float32)
        T.copy(x[core * STEP], tile)
        T.copy(tile, y[core * STEP])  # @store
    return y
