# case: reducer
# what: a reducer is opened, updated by all threads and closed into a fragment
# chip: 950
# expect: clean
# values: y = np.repeat(np.sum(x, axis=1, keepdims=True), 8, axis=1) ~ 1e-3

import tilelang
import tilelang.ascend.language as T

ROWS = 4
WIDTH = 256


@tilelang.jit(target="ascend")
def row_sums(x):
    x: T.Tensor((ROWS, WIDTH), T.float32)
    y = T.empty((ROWS, 8), T.float32)

    with T.Kernel(1) as core:
        x_ub = T.alloc_shared((ROWS, WIDTH), T.float32)
        y_ub = T.alloc_shared((ROWS, 8), T.float32)
        T.copy(x, x_ub)
        with T.SimtVF(threads=128):
            sums = T.alloc_reducer((ROWS,), T.float32, op="sum")
            total = T.alloc_fragment((ROWS,), T.float32)
            T.reducer_init(sums)
            for i, j in T.Parallel(ROWS, WIDTH):
                T.reducer_update(sums[i], x_ub[i, j])
            T.finalize_reducer(sums, total)
            for i, j in T.Parallel(ROWS, 8):
                y_ub[i, j] = total[i]
        T.copy(y_ub, y)
    return y
