# case: transposition
# what: a tile is turned over inside a SIMT function: rows become columns
# twin: transposed_in_place.py
# chip: 950
# expect: clean
# values: y = x.T

import tilelang
import tilelang.ascend.language as T

M = 48
N = 32


@tilelang.jit(target="ascend")
def transpose(x):
    x: T.Tensor((M, N), T.float32)
    y = T.empty((N, M), T.float32)

    with T.Kernel(1) as core:
        x_ub = T.alloc_shared((M, N), T.float32)
        y_ub = T.alloc_shared((N, M), T.float32)
        T.copy(x, x_ub)
        with T.SimtVF(threads=128):
            for i, j in T.Parallel(N, M):
                y_ub[i, j] = x_ub[j, i]
        T.copy(y_ub, y)
    return y
