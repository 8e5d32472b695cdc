# case: SIMT
# what: every thread overwrites elements that its neighbour may not have read yet
# twin: shift_into_second_tile.py
# chip: 950
# expect: race-war V threads @shift @shift

import tilelang
import tilelang.ascend.language as T

TILE = 256


@tilelang.jit(target="ascend")
def shift(x):
    x: T.Tensor((TILE,), T.float32)
    y = T.empty((TILE - 1,), T.float32)

    with T.Kernel(1) as core:
        x_ub = T.alloc_shared((TILE,), T.float32)
        T.copy(x, x_ub)
        with T.SimtVF(threads=64):
            for i in T.Parallel(TILE - 1):
                x_ub[i] = x_ub[i + 1]  # @shift
        T.copy(x_ub[0 : TILE - 1], y)
    return y
