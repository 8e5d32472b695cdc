# case: doc: core types
# what: a vector function stands in the block of the Cube core, which has no V pipe
# chip: 950
# expect: wrong-core

import tilelang
import tilelang.ascend.language as T

MANUAL = {tilelang.PassConfigKey.TL_ENABLE_AUTO_SCHEDULE: False}
M = 32


@tilelang.jit(target="ascend", pass_configs=MANUAL)
def confused(A, B):
    A: T.Tensor((M, M), T.float16)
    B: T.Tensor((M, M), T.float16)
    C = T.empty((M, M), T.float32)

    with T.Kernel(1) as core:
        a_l1 = T.alloc_l1((M, M), T.float16)
        b_l1 = T.alloc_l1((M, M), T.float16)
        c_l0c = T.alloc_l0c((M, M), T.float32)
        c_ub = T.alloc_shared((M // 2, M), T.float32)
        with T.Cube():
            T.copy(A, a_l1)
            T.copy(B, b_l1)
            T.ascend_set_flag("MTE2_MTE1", 0)
            T.ascend_wait_flag("MTE2_MTE1", 0)
            T.gemm(a_l1, b_l1, c_l0c, transpose_B=True, clear_accum=True)
            T.ascend_set_flag("M_FIX", 0)
            T.ascend_wait_flag("M_FIX", 0)
            T.dual_copy(c_l0c, c_ub)
            with T.SimtVF(threads=64):
                for i, j in T.Parallel(M // 2, M):
                    c_ub[i, j] = c_ub[i, j] + T.float32(1)
            T.ascend_cross_core_set_flag(4, "PIPE_FIX", 0)
            T.ascend_cross_core_set_flag(4, "PIPE_FIX", 16)
        with T.Vector() as sid:
            T.ascend_cross_core_wait_flag(4, "PIPE_MTE3", 0)
            T.copy(c_ub, C[sid * (M // 2) : sid * (M // 2) + M // 2, 0:M])
    return C
