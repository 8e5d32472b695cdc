# case: SIMD
# what: the sum of a row in vector registers takes the lanes beyond its 100 elements along
# twin: vector_registers_with_mask.py
# chip: 950
# expect: uninitialised-read UB @sum @store

import tilelang
import tilelang.ascend.language as T

ROWS = 6
WIDTH = 100
PADDED = 128
LANES = 64


@tilelang.jit(target="ascend")
def row_sums(x):
    x: T.Tensor((ROWS, WIDTH), T.float32)
    y = T.empty((ROWS, 8), T.float32)

    with T.Kernel(1) as core:
        x_ub = T.alloc_shared((ROWS, PADDED), T.float32)
        y_ub = T.alloc_shared((ROWS, LANES), T.float32)
        T.copy(x[0:ROWS, 0:WIDTH], x_ub[:, 0:WIDTH])
        with T.SimdVF():  # @sum
            for i in T.serial(ROWS):
                first = T.simd.vld(x_ub[i, 0])
                second = T.simd.vld(x_ub[i, LANES])
                total = T.simd.vcadd(T.simd.vadd(first, second))
                T.simd.vsts(y_ub[i, 0], total)
        T.copy(y_ub[:, 0:8], y)  # @store
    return y
