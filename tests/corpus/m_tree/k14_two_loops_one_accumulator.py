# case: K14
# what: K outside, J inside, one accumulator for all: it starts anew in the very first product
# twin: k14_reset_in_the_inner_loop.py
# chip: 950
# expect: clean
# values: C = A @ B[:16].T + A @ B[16:].T

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
                T.gemm(a_l1, b_l1, c_l0c, transpose_B=True, clear_accum=T.And(k == 0, j == 0))
        T.copy(c_l0c, C)
    return C
