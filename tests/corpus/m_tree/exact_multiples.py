# case: must-not-flag 11
# what: K = 256, rows of 128 columns, nothing left over anywhere
# chip: 950
# expect: clean
# values: C = A @ B.T ~ 0.1

import tilelang
import tilelang.ascend.language as T

M = 128
N = 128
K = 256


@tilelang.jit(target="ascend")
def product(A, B):
    A: T.Tensor((M, K), T.bfloat16)
    B: T.Tensor((N, K), T.bfloat16)
    C = T.empty((M, N), T.bfloat16)

    with T.Kernel(2) as core:
        a_l1 = T.alloc_l1((M // 2, 128), T.bfloat16)
        b_l1 = T.alloc_l1((N, 128), T.bfloat16)
        c_l0c = T.alloc_l0c((M // 2, N), T.float32)
        for k in T.Pipelined(K // 128, num_stages=2):
            T.copy(A[core * (M // 2), k * 128], a_l1)
            T.copy(B[0, k * 128], b_l1)
            T.gemm(a_l1, b_l1, c_l0c, transpose_B=True, clear_accum=(k == 0))
        T.copy(c_l0c, C[core * (M // 2), 0])
    return C
