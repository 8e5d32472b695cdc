# case: K15
# what: threads belong to a vector function, the kernel has none
# twin: k15_threads_on_the_vector_function.py
# chip: 950
# expect: rejected unexpected keyword argument 'threads'

import tilelang
import tilelang.ascend.language as T

CORES = 4
TILE = 1024


@tilelang.jit(target="ascend")
def double(x):
    x: T.Tensor((CORES * TILE,), T.float32)
    y = T.empty((CORES * TILE,), T.float32)

    with T.Kernel(CORES, threads=128) as core:
        x_ub = T.alloc_shared((TILE,), T.float32)
        y_ub = T.alloc_shared((TILE,), T.float32)
        T.copy(x[core * TILE], x_ub)
        with T.SimtVF(threads=128):
            for i in T.Parallel(TILE):
                y_ub[i] = x_ub[i] + x_ub[i]
        T.copy(y_ub, y[core * TILE])
    return y
