# case: K15
# what: an element-wise loop in the scalar code of the kernel
# twin: k15_threads_on_the_vector_function.py
# chip: 950
# expect: rejected must be inside a VF block

import tilelang
import tilelang.ascend.language as T

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
        for i in T.Parallel(TILE):
            y_ub[i] = x_ub[i] + x_ub[i]
        T.copy(y_ub, y[core * TILE])
    return y
