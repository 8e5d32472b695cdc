# case: K04, must-not-flag 6
# what: the L1 tiles and the accumulator all begin at offset 0 of their memories, and a second product adds to the first
# chip: 950
# expect: clean
# values: C = 2 * A @ B.T

import tilelang
import tilelang.ascend.language as T

MANUAL = {tilelang.PassConfigKey.TL_ENABLE_AUTO_SCHEDULE: False}
M = 32
N = 48
K = 32


@tilelang.jit(target="ascend", pass_configs=MANUAL)
def twice_the_product(A, B):
    A: T.Tensor((M, K), T.float16)
    B: T.Tensor((N, K), T.float16)
    C = T.empty((M, N), T.float32)

    with T.Kernel(1) as core:
        a_l1 = T.alloc_l1((M, K), T.float16)
        b_l1 = T.alloc_l1((N, K), T.float16)
        c_l0c = T.alloc_l0c((M, N), T.float32)
        T.copy(A, a_l1)
        T.copy(B, b_l1)
        T.ascend_set_flag("MTE2_MTE1", 0)
        T.ascend_wait_flag("MTE2_MTE1", 0)
        T.gemm(a_l1, b_l1, c_l0c, transpose_B=True, clear_accum=True)
        T.gemm(a_l1, b_l1, c_l0c, transpose_B=True, clear_accum=False)
        T.ascend_set_flag("M_FIX", 0)
        T.ascend_wait_flag("M_FIX", 0)
        T.copy(c_l0c, C)
    return C
