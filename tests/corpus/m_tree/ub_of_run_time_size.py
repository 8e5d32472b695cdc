# case: must-not-flag 22
# what: the row length of the buffer is an extent of the tensor, known when the kernel is compiled for it
# chip: 950
# arg: M=5 N=192
# expect: clean
# values: y = 2 * x

import tilelang
import tilelang.ascend.language as T

CORES = 2


@tilelang.jit(target="ascend")
def double(x):
    M, N = T.const("M, N")
    x: T.Tensor((M, N), T.float32)
    y = T.empty((M, N), T.float32)

    with T.Kernel(CORES) as core:
        row = T.alloc_shared((N,), T.float32)
        for r in T.serial(T.ceildiv(M, CORES)):
            if r * CORES + core < M:
                T.copy(x[r * CORES + core, 0:N], row)
                with T.SimtVF(threads=64):
                    for i in T.Parallel(N):
                        row[i] = row[i] * T.float32(2)
                T.copy(row, y[r * CORES + core, 0:N])
    return y
