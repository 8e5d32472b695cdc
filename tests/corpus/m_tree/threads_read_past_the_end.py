# case: SIMT
# what: the last threads would read two elements behind the tensor: the compiler puts a guard there and takes zeros
# twin: threads_read_global_memory.py
# chip: 950
# expect: clean
# values: y = x + np.concatenate([x[2:], np.zeros(2, np.float32)])

import tilelang
import tilelang.ascend.language as T

CORES = 2
TILE = 512


@tilelang.jit(target="ascend")
def stencil(x):
    x: T.Tensor((CORES * TILE,), T.float32)
    y = T.empty((CORES * TILE,), T.float32)

    with T.Kernel(CORES) as core:
        y_ub = T.alloc_shared((TILE,), T.float32)
        with T.SimtVF(threads=128):
            for i in T.Parallel(TILE):
                y_ub[i] = x[core * TILE + i] + x[core * TILE + i + 2]
        T.copy(y_ub, y[core * TILE])
    return y
