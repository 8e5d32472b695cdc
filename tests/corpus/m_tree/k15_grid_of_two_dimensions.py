# case: K15
# what: the grid of the 950 has one dimension
# twin: k15_threads_on_the_vector_function.py
# chip: 950
# expect: rejected 1-D core grid

import tilelang
import tilelang.ascend.language as T

CORES = 4
TILE = 1024


@tilelang.jit(target="ascend")
def double(x):
    x: T.Tensor((CORES * TILE,), T.float32)
    y = T.empty((CORES * TILE,), T.float32)

    with T.Kernel(CORES, 1) as (core, other):
        x_ub = T.alloc_shared((TILE,), T.float32)
        y_ub = T.alloc_shared((TILE,), T.float32)
        T.copy(x[core * TILE], x_ub)
        with T.SimtVF(threads=128):
            for i in T.Parallel(TILE):
                y_ub[i] = x_ub[i] + x_ub[i]
        T.copy(y_ub, y[core * TILE])
    return y
