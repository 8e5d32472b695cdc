# case: reducer
# what: softmax of 37 columns in rows of 64: the lanes beyond count as minus infinity
# chip: 950
# arg: M=19 N=37
# expect: clean
# values: y = np.exp(x - np.max(x, axis=1, keepdims=True)) / np.sum(np.exp(x - np.max(x, axis=1, keepdims=True)), axis=1, keepdims=True) ~ 1e-4

import tilelang
import tilelang.ascend.language as T

CORES = 2
ROWS = 8
PADDED = 64


@tilelang.jit(target="ascend")
def softmax(x):
    M, N = T.const("M, N")
    x: T.Tensor((M, N), T.float32)
    y = T.empty((M, N), T.float32)

    with T.Kernel(CORES) as core:
        x_ub = T.alloc_shared((ROWS, PADDED), T.float32)
        y_ub = T.alloc_shared((ROWS, PADDED), T.float32)
        for t in T.Persistent([T.ceildiv(M, ROWS)], CORES, core, group_size=1):
            T.copy(x[t * ROWS : (t + 1) * ROWS, 0:N], x_ub[:, 0:N])
            with T.SimtVF(threads=128):
                e = T.alloc_fragment((ROWS, PADDED), T.float32)
                largest = T.alloc_fragment((ROWS,), T.float32)
                total = T.alloc_fragment((ROWS,), T.float32)
                for i, j in T.Parallel(ROWS, PADDED):
                    e[i, j] = T.if_then_else(j < N, x_ub[i, j], -T.infinity(T.float32))
                T.reduce_max(e, largest, dim=1)
                for i, j in T.Parallel(ROWS, PADDED):
                    e[i, j] = T.exp(e[i, j] - largest[i])
                T.reduce_sum(e, total, dim=1)
                for i, j in T.Parallel(ROWS, PADDED):
                    y_ub[i, j] = e[i, j] / total[i]
            T.copy(y_ub[:, 0:N], y[t * ROWS : (t + 1) * ROWS, 0:N])
    return y
