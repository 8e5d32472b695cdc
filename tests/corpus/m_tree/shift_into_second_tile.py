# case: SIMT
# what: every thread reads the elements of its neighbour and writes to a tile of its own
# twin: shift_in_place.py
# chip: 950
# expect: clean
# values: y = x[1:]

import tilelang
import tilelang.ascend.language as T

TILE = 256


@tilelang.jit(target="ascend")
def shift(x):
    x: T.Tensor((TILE,), T.float32)
    y = T.empty((TILE - 1,), T.float32)

    with T.Kernel(1) as core:
        x_ub = T.alloc_shared((TILE,), T.float32)
        y_ub = T.alloc_shared((TILE,), T.float32)
        T.copy(x, x_ub)
        with T.SimtVF(threads=64):
            for i in T.Parallel(TILE - 1):
                y_ub[i] = x_ub[i + 1]
        T.copy(y_ub[0 : TILE - 1], y)
    return y
