# case: must-not-flag 7
# what: the accumulator still holds the tile before when the next product starts it anew: it is written, not read
# chip: 950
# expect: clean
# values: C = A @ B.T

import tilelang
import tilelang.ascend.language as T

MANUAL = {tilelang.PassConfigKey.TL_ENABLE_AUTO_SCHEDULE: False}
TILES = 3
M = 32
N = 32
K = 48


@tilelang.jit(target="ascend", pass_configs=MANUAL)
def products(A, B):
    A: T.Tensor((TILES * M, K), T.float16)
    B: T.Tensor((N, K), T.float16)
    C = T.empty((TILES * M, N), T.float32)

    with T.Kernel(1) as core:
        a_l1 = T.alloc_l1((M, K), T.float16)
        b_l1 = T.alloc_l1((N, K), T.float16)
        c_l0c = T.alloc_l0c((M, N), T.float32)
        T.copy(B, b_l1)
        T.ascend_set_flag("MTE1_MTE2", 0)
        T.ascend_set_flag("FIX_M", 0)
        for t in T.serial(TILES):
            T.ascend_wait_flag("MTE1_MTE2", 0)
            T.copy(A[t * M, 0], a_l1)
            T.ascend_set_flag("MTE2_MTE1", 0)
            T.ascend_wait_flag("MTE2_MTE1", 0)
            T.ascend_wait_flag("FIX_M", 0)
            T.gemm(a_l1, b_l1, c_l0c, transpose_B=True, clear_accum=True)
            T.ascend_set_flag("MTE1_MTE2", 0)
            T.ascend_set_flag("M_FIX", 0)
            T.ascend_wait_flag("M_FIX", 0)
            T.copy(c_l0c, C[t * M, 0])
            T.ascend_set_flag("FIX_M", 0)
        T.ascend_wait_flag("MTE1_MTE2", 0)
        T.ascend_wait_flag("FIX_M", 0)
    return C
