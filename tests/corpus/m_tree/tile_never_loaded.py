# case: doc: uninitialised
# what: the second operand was forgotten: the vector function adds what UB held before
# chip: 950
# expect: uninitialised-read UB @add @store

import tilelang
import tilelang.ascend.language as T

TILE = 512


@tilelang.jit(target="ascend")
def add(x, y):
    x: T.Tensor((TILE,), T.float32)
    y: T.Tensor((TILE,), T.float32)
    z = T.empty((TILE,), T.float32)

    with T.Kernel(1) as core:
        x_ub = T.alloc_shared((TILE,), T.float32)
        y_ub = T.alloc_shared((TILE,), T.float32)
        T.copy(x, x_ub)
        with T.SimtVF(threads=128):  # @add
            for i in T.Parallel(TILE):
                x_ub[i] = x_ub[i] + y_ub[i]
        T.copy(x_ub, z)  # @store
    return z
