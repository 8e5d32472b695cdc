# case: must-not-flag 20
# what: the common language module is imported, and the target makes it an Ascend kernel
# chip: 950
# expect: clean
# values: y = 2 * x

import tilelang
import tilelang.language as T

CORES = 4
TILE = 1024


@tilelang.jit(target="ascend")
def double(x):
    x: T.Tensor((CORES * TILE,), T.float32)
    y = T.empty((CORES * TILE,), T.float32)

    with T.Kernel(CORES) as core:
        x_ub = T.alloc_shared((TILE,), T.float32)
        y_ub = T.alloc_shared((TILE,), T.float32)
        T.copy(x[core * TILE], x_ub)
        with T.SimtVF(threads=128):
            for i in T.Parallel(TILE):
                y_ub[i] = x_ub[i] + x_ub[i]
        T.copy(y_ub, y[core * TILE])
    return y
