# case: capacity
# what: an accumulator of 512 x 512 floats has 1 MB, four times L0C; the compiler takes it
# chip: 950
# expect: out-of-bounds L0C @gemm

import tilelang
import tilelang.ascend.language as T

M = 512
K = 32


@tilelang.jit(target="ascend")
def product(A, B):
    A: T.Tensor((M, K), T.float16)
    B: T.Tensor((M, K), T.float16)
    C = T.empty((M, M), T.float32)

    with T.Kernel(1) as core:
        a_l1 = T.alloc_l1((M, K), T.float16)
        b_l1 = T.alloc_l1((M, K), T.float16)
        c_l0c = T.alloc_l0c((M, M), T.float32)
        T.copy(A, a_l1)
        T.copy(B, b_l1)
        T.gemm(a_l1, b_l1, c_l0c, transpose_B=True, clear_accum=True)  # @gemm
        T.copy(c_l0c, C)  # @store
    return C
