# case: must-not-flag 15
# what: RMSNorm of rows of 1000 in UB rows of 1024: the lanes beyond count as zero
# chip: 950
# arg: M=21 N=1000
# expect: clean
# values: y = np.float32(x) / np.sqrt(np.mean(np.float32(x) ** 2, axis=1, keepdims=True) + 1e-6) * weight ~ 3e-2

import tilelang
import tilelang.ascend.language as T

CORES = 4
ROWS = 4
PADDED = 1024


@tilelang.jit(target="ascend")
def rmsnorm(x, weight):
    M, N = T.const("M, N")
    x: T.Tensor((M, N), T.bfloat16)
    weight: T.Tensor((N,), T.bfloat16)
    y = T.empty((M, N), T.bfloat16)

    with T.Kernel(CORES) as core:
        x_ub = T.alloc_shared((ROWS, PADDED), T.bfloat16)
        w_ub = T.alloc_shared((PADDED,), T.bfloat16)
        y_ub = T.alloc_shared((ROWS, PADDED), T.bfloat16)
        T.annotate_buffer_versions({x_ub: 2, y_ub: 2})
        T.copy(weight, w_ub[0:N])
        for t in T.Persistent([T.ceildiv(M, ROWS)], CORES, core, group_size=1, num_stages=2):
            T.copy(x[t * ROWS : (t + 1) * ROWS, 0:N], x_ub[:, 0:N])
            with T.SimtVF(threads=256):
                row = T.alloc_fragment((ROWS, PADDED), T.float32)
                square = T.alloc_fragment((ROWS, PADDED), T.float32)
                scale = T.alloc_fragment((ROWS,), T.float32)
                for i, j in T.Parallel(ROWS, PADDED):
                    row[i, j] = T.if_then_else(j < N, T.cast(x_ub[i, j], T.float32), T.float32(0))
                for i, j in T.Parallel(ROWS, PADDED):
                    square[i, j] = row[i, j] * row[i, j]
                T.reduce_sum(square, scale, dim=1)
                for i in T.Parallel(ROWS):
                    scale[i] = T.rsqrt(scale[i] / N + 1e-6)
                for i, j in T.Parallel(ROWS, PADDED):
                    y_ub[i, j] = T.cast(
                        row[i, j] * scale[i] * T.cast(w_ub[j], T.float32), T.bfloat16
                    )
            T.copy(y_ub[:, 0:N], y[t * ROWS : (t + 1) * ROWS, 0:N])
    return y
