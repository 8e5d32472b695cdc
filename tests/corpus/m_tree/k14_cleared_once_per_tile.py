# case: K14
# what: the accumulator starts anew at the first K step of every column tile
# twin: k14_cleared_for_first_tile_only.py
# chip: 950
# expect: clean
# values: C = A @ B.T

import tilelang
import tilelang.ascend.language as T

M = 32
N = 64
K = 64
STEP = 32
COLUMNS = 2


@tilelang.jit(target="ascend")
def product(A, B):
    A: T.Tensor((M, K), T.float16)
    B: T.Tensor((COLUMNS * N, K), T.float16)
    C = T.empty((M, COLUMNS * N), T.float32)

    with T.Kernel(1) as core:
        a_l1 = T.alloc_l1((M, STEP), T.float16)
        b_l1 = T.alloc_l1((N, STEP), T.float16)
        c_l0c = T.alloc_l0c((M, N), T.float32)
        for j in T.serial(COLUMNS):
            for k in T.Pipelined(K // STEP, num_stages=2):
                T.copy(A[0, k * STEP], a_l1)
                T.copy(B[j * N, k * STEP], b_l1)
                T.gemm(a_l1, b_l1, c_l0c, transpose_B=True, clear_accum=(k == 0))
            T.copy(c_l0c, C[0, j * N])
    return C
