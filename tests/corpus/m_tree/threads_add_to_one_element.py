# case: SIMT
# what: all threads add to one element of UB without an atomic
# twin: threads_reduce.py
# chip: 950
# expect: race-raw V threads @add @add

import tilelang
import tilelang.ascend.language as T

TILE = 256


@tilelang.jit(target="ascend")
def total(x):
    x: T.Tensor((TILE,), T.float32)
    y = T.empty((8,), T.float32)

    with T.Kernel(1) as core:
        x_ub = T.alloc_shared((TILE,), T.float32)
        y_ub = T.alloc_shared((8,), T.float32)
        T.copy(x, x_ub)
        with T.SimtVF(threads=64):
            for i in T.Parallel(8):
                y_ub[i] = T.float32(0)
            for i in T.Parallel(TILE):
                y_ub[0] = y_ub[0] + x_ub[i]  # @add
        T.copy(y_ub, y)
    return y
