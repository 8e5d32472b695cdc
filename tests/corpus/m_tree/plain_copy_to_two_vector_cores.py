# case: cube and vector
# what: a plain copy gives the accumulator to the first AIV only, and both AIVs add and store
# twin: epilogue_rows_halved.py
# chip: 950
# expect: output-written-twice AIV MTE3→AIV MTE3 @store; uninitialised-read UB @add @store

import tilelang
import tilelang.ascend.language as T

M = 64
N = 64
K = 32


@tilelang.jit(target="ascend")
def product_plus_one(A, B):
    A: T.Tensor((M, K), T.float16)
    B: T.Tensor((N, K), T.float16)
    C = T.empty((M, N), T.float32)

    with T.Kernel(1) as core:
        a_l1 = T.alloc_l1((M, K), T.float16)
        b_l1 = T.alloc_l1((N, K), T.float16)
        c_l0c = T.alloc_l0c((M, N), T.float32)
        c_ub = T.alloc_shared((M, N), T.float32)
        T.copy(A, a_l1)
        T.copy(B, b_l1)
        T.gemm(a_l1, b_l1, c_l0c, transpose_B=True, clear_accum=True)
        T.copy(c_l0c, c_ub)
        with T.SimtVF(threads=256):  # @add
            for i, j in T.Parallel(M, N):
                c_ub[i, j] = c_ub[i, j] + T.float32(1)
        T.copy(c_ub, C)  # @store
    return C
