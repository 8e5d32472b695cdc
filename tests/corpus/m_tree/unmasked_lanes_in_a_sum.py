# case: doc: uninitialised
# what: 200 of 256 lanes are loaded, and all 256 are summed
# twin: masked_lanes_in_a_sum.py
# chip: 950
# arg: M=10 N=200
# expect: uninitialised-read UB @sum @store

import tilelang
import tilelang.ascend.language as T

CORES = 4
ROWS = 4
WIDTH = 256


@tilelang.jit(target="ascend")
def row_sums(x):
    M, N = T.const("M, N")
    x: T.Tensor((M, N), T.float32)
    y = T.empty((M,), T.float32)

    with T.Kernel(CORES) as core:
        tile = T.alloc_shared((ROWS, WIDTH), T.float32)
        sums = T.alloc_shared((ROWS,), T.float32)
        for t in T.Persistent([T.ceildiv(M, ROWS)], CORES, core, group_size=1):
            T.copy(x[t * ROWS : (t + 1) * ROWS, 0:N], tile[:, 0:N])
            with T.SimtVF(threads=128):  # @sum
                row = T.alloc_fragment((ROWS, WIDTH), T.float32)
                total = T.alloc_fragment((ROWS,), T.float32)
                for i, j in T.Parallel(ROWS, WIDTH):
                    row[i, j] = tile[i, j]
                T.reduce_sum(row, total, dim=1)
                for i in T.Parallel(ROWS):
                    sums[i] = total[i]
            T.copy(sums, y[t * ROWS])  # @store
    return y
