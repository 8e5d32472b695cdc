# case: must-not-flag 11
# what: a float32 product with a K tail of 8 and bfloat16 results
# chip: 950
# arg: K=104
# expect: clean
# values: C = A @ B.T ~ 0.2

import tilelang
import tilelang.ascend.language as T

M = 32
N = 48


@tilelang.jit(target="ascend")
def product(A, B):
    K = T.const("K")
    A: T.Tensor((M, K), T.float32)
    B: T.Tensor((N, K), T.float32)
    C = T.empty((M, N), T.bfloat16)

    with T.Kernel(1) as core:
        a_l1 = T.alloc_l1((M, 32), T.float32)
        b_l1 = T.alloc_l1((N, 32), T.float32)
        c_l0c = T.alloc_l0c((M, N), T.float32)
        for k in T.Pipelined(T.ceildiv(K, 32), num_stages=3):
            T.copy(A[0, k * 32], a_l1)
            T.copy(B[0, k * 32], b_l1)
            T.gemm(a_l1, b_l1, c_l0c, transpose_B=True, clear_accum=(k == 0))
        T.copy(c_l0c, C)
    return C
