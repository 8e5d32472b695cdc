# case: capacity
# what: the scheduler finds that two tiles of 512 KB do not fit in L1
# chip: 950
# expect: rejected capacity

import tilelang
import tilelang.ascend.language as T

M = 256
K = 1024


@tilelang.jit(target="ascend")
def product(A, B):
    A: T.Tensor((M, K), T.bfloat16)
    B: T.Tensor((M, K), T.bfloat16)
    C = T.empty((M, M), T.float32)

    with T.Kernel(1) as core:
        a_l1 = T.alloc_l1((M, K), T.bfloat16)
        b_l1 = T.alloc_l1((M, K), T.bfloat16)
        c_l0c = T.alloc_l0c((M, M), T.float32)
        for k in T.Pipelined(1, num_stages=1):
            T.copy(A[0, k * K], a_l1)
            T.copy(B[0, k * K], b_l1)
            T.gemm(a_l1, b_l1, c_l0c, transpose_B=True, clear_accum=True)
        T.copy(c_l0c, C)
    return C
