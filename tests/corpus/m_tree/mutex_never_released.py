# case: doc: mutex
# what: MTE1 takes the mutex in every step and never gives it back, so M does not wait for anything
# twin: mutex_guards_l0.py
# chip: 950
# expect: race-raw MTE1→M @load_b @gemm

import tilelang
import tilelang.ascend.language as T

MANUAL = {tilelang.PassConfigKey.TL_ENABLE_AUTO_SCHEDULE: False}
M = 64
N = 64
K = 192
STEP = 64


@tilelang.jit(target="ascend", pass_configs=MANUAL)
def product(A, B):
    A: T.Tensor((M, K), T.float16)
    B: T.Tensor((N, K), T.float16)
    C = T.empty((M, N), T.float32)

    with T.Kernel(1) as core:
        a_l1 = T.alloc_l1((M, K), T.float16)
        b_l1 = T.alloc_l1((N, K), T.float16)
        a_l0 = T.alloc_l0a((M, STEP), T.float16)
        b_l0 = T.alloc_l0b((N, STEP), T.float16)
        c_l0c = T.alloc_l0c((M, N), T.float32)
        T.copy(A, a_l1)
        T.copy(B, b_l1)
        T.ascend_set_flag("MTE2_MTE1", 0)
        T.ascend_wait_flag("MTE2_MTE1", 0)
        for k in T.serial(K // STEP):
            T.ascend_get_buf("PIPE_MTE1", 0)
            T.copy(a_l1[:, k * STEP : (k + 1) * STEP], a_l0)
            T.copy(b_l1[:, k * STEP : (k + 1) * STEP], b_l0)  # @load_b
            T.ascend_get_buf("PIPE_M", 0)
            T.gemm(a_l0, b_l0, c_l0c, transpose_B=True, clear_accum=(k == 0))  # @gemm
            T.ascend_rls_buf("PIPE_M", 0)
        T.ascend_set_flag("M_FIX", 0)
        T.ascend_wait_flag("M_FIX", 0)
        T.copy(c_l0c, C)
    return C
