# case: must-not-flag 10
# what: a pipeline over K tiles in L1 around a pipeline over K steps in L0
# chip: 950
# expect: clean
# values: C = A @ B.T

import tilelang
import tilelang.ascend.language as T

M = 128
N = 128
K = 256
STEP = 128
L0_STEP = 32


@tilelang.jit(target="ascend")
def product(A, B):
    A: T.Tensor((M, K), T.bfloat16)
    B: T.Tensor((N, K), T.bfloat16)
    C = T.empty((M, N), T.float32)

    with T.Kernel(1) as core:
        a_l1 = T.alloc_l1((M, STEP), T.bfloat16)
        b_l1 = T.alloc_l1((N, STEP), T.bfloat16)
        a_l0 = T.alloc_l0a((M, L0_STEP), T.bfloat16)
        b_l0 = T.alloc_l0b((N, L0_STEP), T.bfloat16)
        c_l0c = T.alloc_l0c((M, N), T.float32)
        for k in T.Pipelined(K // STEP, num_stages=2):
            T.copy(A[0, k * STEP], a_l1)
            T.copy(B[0, k * STEP], b_l1)
            for s in T.Pipelined(STEP // L0_STEP, num_stages=2):
                T.copy(a_l1[:, s * L0_STEP : (s + 1) * L0_STEP], a_l0)
                T.copy(b_l1[:, s * L0_STEP : (s + 1) * L0_STEP], b_l0)
                T.gemm(a_l0, b_l0, c_l0c, transpose_B=True, clear_accum=T.And(k == 0, s == 0))
        T.copy(c_l0c, C)
    return C
