# case: K02
# what: the Cube waits for free slots that nobody has announced, and the AIVs wait for the Cube
# twin: k02_ub_slot_answered.py
# chip: 950
# expect: circular-wait AIC FIX→AIV MTE3→AIC FIX @free @full

import tilelang
import tilelang.ascend.language as T

MANUAL = {tilelang.PassConfigKey.TL_ENABLE_AUTO_SCHEDULE: False}
TILE_M = 64
TILE_N = 64
K = 32
TILES = 4
SLOTS = 2


@tilelang.jit(target="ascend", pass_configs=MANUAL)
def product(A, B):
    A: T.Tensor((TILES * TILE_M, K), T.float16)
    B: T.Tensor((TILE_N, K), T.float16)
    C = T.empty((TILES * TILE_M, TILE_N), T.float32)

    with T.Kernel(1) as core:
        a_l1 = T.alloc_l1((TILE_M, K), T.float16)
        b_l1 = T.alloc_l1((TILE_N, K), T.float16)
        c_l0c = T.alloc_l0c((TILE_M, TILE_N), T.float32)
        c_ub = T.alloc_shared((SLOTS, TILE_M // 2, TILE_N), T.float32)

        with T.Cube():
            T.ascend_set_flag("MTE1_MTE2", 0)
            T.ascend_set_flag("FIX_M", 0)
            for s in T.serial(TILES):
                T.ascend_wait_flag("MTE1_MTE2", 0)
                T.copy(A[s * TILE_M, 0], a_l1)
                T.copy(B, b_l1)
                T.ascend_set_flag("MTE2_MTE1", 0)
                T.ascend_wait_flag("MTE2_MTE1", 0)
                T.ascend_wait_flag("FIX_M", 0)
                T.gemm(a_l1, b_l1, c_l0c, transpose_B=True, clear_accum=True)
                T.ascend_set_flag("MTE1_MTE2", 0)
                T.ascend_set_flag("M_FIX", 0)
                T.ascend_wait_flag("M_FIX", 0)
                T.ascend_cross_core_wait_flag(4, "PIPE_FIX", 1)  # @free
                T.ascend_cross_core_wait_flag(4, "PIPE_FIX", 17)
                T.dual_copy(c_l0c, c_ub[s % SLOTS, :, :])
                T.ascend_set_flag("FIX_M", 0)
                T.ascend_cross_core_set_flag(4, "PIPE_FIX", 0)
                T.ascend_cross_core_set_flag(4, "PIPE_FIX", 16)
            T.ascend_wait_flag("MTE1_MTE2", 0)
            T.ascend_wait_flag("FIX_M", 0)

        with T.Vector() as sid:
            for s in T.serial(TILES):
                T.ascend_cross_core_wait_flag(4, "PIPE_MTE3", 0)  # @full
                T.copy(
                    c_ub[s % SLOTS, :, :],
                    C[
                        s * TILE_M + sid * (TILE_M // 2) : s * TILE_M + (sid + 1) * (TILE_M // 2),
                        0:TILE_N,
                    ],
                )
                T.ascend_cross_core_set_flag(4, "PIPE_MTE3", 1)
    return C
