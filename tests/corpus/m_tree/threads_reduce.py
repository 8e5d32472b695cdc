# case: SIMT
# what: a sum over 64 threads by T.reduce_sum: the exchange between them has its barriers
# twin: threads_add_to_one_element.py
# chip: 950
# expect: clean
# values: y = np.repeat(np.max(x, axis=1, keepdims=True), 8, axis=1)

import tilelang
import tilelang.ascend.language as T

ROWS = 2
WIDTH = 512


@tilelang.jit(target="ascend")
def row_maxima(x):
    x: T.Tensor((ROWS, WIDTH), T.float32)
    y = T.empty((ROWS, 8), T.float32)

    with T.Kernel(1) as core:
        x_ub = T.alloc_shared((ROWS, WIDTH), T.float32)
        y_ub = T.alloc_shared((ROWS, 8), T.float32)
        T.copy(x, x_ub)
        with T.SimtVF(threads=64):
            row = T.alloc_fragment((ROWS, WIDTH), T.float32)
            largest = T.alloc_fragment((ROWS,), T.float32)
            for i, j in T.Parallel(ROWS, WIDTH):
                row[i, j] = x_ub[i, j]
            T.reduce_max(row, largest, dim=1)
            for i, j in T.Parallel(ROWS, 8):
                y_ub[i, j] = largest[i]
        T.copy(y_ub, y)
    return y
