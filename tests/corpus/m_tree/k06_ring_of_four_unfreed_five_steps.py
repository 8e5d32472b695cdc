# case: K06
# what: the fifth step loads into slot 0, which nobody has freed
# twin: k06_ring_of_four_unfreed_four_steps.py
# chip: 950
# expect: race-war MTE1→MTE2 @gemm @load_a

import tilelang
import tilelang.ascend.language as T

MANUAL = {tilelang.PassConfigKey.TL_ENABLE_AUTO_SCHEDULE: False}
M = 64
N = 64
K = 320
STEP = 64
SLOTS = 4


@tilelang.jit(target="ascend", pass_configs=MANUAL)
def product(A, B):
    A: T.Tensor((M, K), T.float16)
    B: T.Tensor((N, K), T.float16)
    C = T.empty((M, N), T.float32)

    with T.Kernel(1) as core:
        a_l1 = T.alloc_l1((SLOTS, M, STEP), T.float16)
        b_l1 = T.alloc_l1((SLOTS, N, STEP), T.float16)
        c_l0c = T.alloc_l0c((M, N), T.float32)
        for k in T.serial(K // STEP):
            T.copy(A[0:M, k * STEP : (k + 1) * STEP], a_l1[k % SLOTS, :, :])  # @load_a
            T.copy(B[0:N, k * STEP : (k + 1) * STEP], b_l1[k % SLOTS, :, :])
            T.ascend_set_flag("MTE2_MTE1", k % SLOTS)
            T.ascend_wait_flag("MTE2_MTE1", k % SLOTS)
            T.gemm(  # @gemm
                a_l1[k % SLOTS, :, :],
                b_l1[k % SLOTS, :, :],
                c_l0c,
                transpose_B=True,
                clear_accum=(k == 0),
            )
        T.ascend_set_flag("M_FIX", 0)
        T.ascend_wait_flag("M_FIX", 0)
        T.copy(c_l0c, C)
    return C
