# case: doc: SetFlag/WaitFlag
# what: MTE1 reads the L1 tiles without waiting for MTE2
# twin: k06_ring_of_one.py
# chip: 950
# expect: race-raw MTE2→MTE1 @gemm

import tilelang
import tilelang.ascend.language as T

MANUAL = {tilelang.PassConfigKey.TL_ENABLE_AUTO_SCHEDULE: False}
M = 64
N = 64
K = 256
STEP = 64
SLOTS = 1


@tilelang.jit(target="ascend", pass_configs=MANUAL)
def product(A, B):
    A: T.Tensor((M, K), T.float16)
    B: T.Tensor((N, K), T.float16)
    C = T.empty((M, N), T.float32)

    with T.Kernel(1) as core:
        a_l1 = T.alloc_l1((SLOTS, M, STEP), T.float16)
        b_l1 = T.alloc_l1((SLOTS, N, STEP), T.float16)
        c_l0c = T.alloc_l0c((M, N), T.float32)
        for s in T.serial(SLOTS):
            T.ascend_set_flag("MTE1_MTE2", s)
        for k in T.serial(K // STEP):
            T.ascend_wait_flag("MTE1_MTE2", k % SLOTS)
            T.copy(A[0:M, k * STEP : (k + 1) * STEP], a_l1[k % SLOTS, :, :])
            T.copy(B[0:N, k * STEP : (k + 1) * STEP], b_l1[k % SLOTS, :, :])
            T.gemm(  # @gemm
                a_l1[k % SLOTS, :, :],
                b_l1[k % SLOTS, :, :],
                c_l0c,
                transpose_B=True,
                clear_accum=(k == 0),
            )
            T.ascend_set_flag("MTE1_MTE2", k % SLOTS)
        for s in T.serial(SLOTS):
            T.ascend_wait_flag("MTE1_MTE2", s)
        T.ascend_set_flag("M_FIX", 0)
        T.ascend_wait_flag("M_FIX", 0)
        T.copy(c_l0c, C)
    return C
