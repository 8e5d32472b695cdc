# case: K14
# what: the condition names K only, so the first K step starts anew for every J
# twin: k14_two_loops_one_accumulator.py
# chip: 950
# expect: accumulator-initialised-twice M @gemm @store

import tilelang
import tilelang.ascend.language as T

M = 16
STEPS = 2


@tilelang.jit(target="ascend")
def sum_of_products(A, B):
    A: T.Tensor((M, STEPS * M), T.float16)
    B: T.Tensor((STEPS * M, STEPS * M), T.float16)
    C = T.empty((M, M), T.float32)

    with T.Kernel(1) as core:
        a_l1 = T.alloc_l1((M, M), T.float16)
        b_l1 = T.alloc_l1((M, M), T.float16)
        c_l0c = T.alloc_l0c((M, M), T.float32)
        for k in T.serial(STEPS):
            for j in T.serial(STEPS):
                T.copy(A[0, k * M], a_l1)
                T.copy(B[j * M, k * M], b_l1)
                T.gemm(a_l1, b_l1, c_l0c, transpose_B=True, clear_accum=(k == 0))  # @gemm
        T.copy(c_l0c, C)  # @store
    return C
