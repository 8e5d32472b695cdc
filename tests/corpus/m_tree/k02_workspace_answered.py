# case: K02
# what: both AIVs answer after their load, and the Cube waits for an answer before it fills a slot again
# twin: k02_workspace_reused.py
# chip: 950
# launch: A=float16[128,32]:in B=float16[64,32]:in workspace=float32[2,32,64]:out
# expect: clean
# values: C = A @ B.T

import tilelang
import tilelang.ascend.language as T

MANUAL = {tilelang.PassConfigKey.TL_ENABLE_AUTO_SCHEDULE: False}
TILES = 4
SLOTS = 2
TILE_M = 32
N = 64
K = 32


@tilelang.jit(target="ascend", pass_configs=MANUAL)
def product(A, B, workspace):
    A: T.Tensor((TILES * TILE_M, K), T.float16)
    B: T.Tensor((N, K), T.float16)
    workspace: T.Tensor((SLOTS, TILE_M, N), T.float32)
    C = T.empty((TILES * TILE_M, N), T.float32)

    with T.Kernel(1) as core:
        a_l1 = T.alloc_l1((TILE_M, K), T.float16)
        b_l1 = T.alloc_l1((N, K), T.float16)
        c_l0c = T.alloc_l0c((TILE_M, N), T.float32)
        rows_ub = T.alloc_shared((TILE_M // 2, N), T.float32)

        with T.Cube():
            T.copy(B, b_l1)
            T.ascend_set_flag("MTE1_MTE2", 0)
            T.ascend_set_flag("FIX_M", 0)
            for s in T.serial(TILES):
                T.ascend_wait_flag("MTE1_MTE2", 0)
                T.copy(A[s * TILE_M, 0], a_l1)
                T.ascend_set_flag("MTE2_MTE1", 0)
                T.ascend_wait_flag("MTE2_MTE1", 0)
                T.ascend_wait_flag("FIX_M", 0)
                T.gemm(a_l1, b_l1, c_l0c, transpose_B=True, clear_accum=True)
                T.ascend_set_flag("MTE1_MTE2", 0)
                T.ascend_set_flag("M_FIX", 0)
                T.ascend_wait_flag("M_FIX", 0)
                T.ascend_cross_core_wait_flag(2, "PIPE_FIX", 1)
                T.copy(c_l0c, workspace[s % SLOTS, :, :])
                T.ascend_set_flag("FIX_M", 0)
                T.ascend_cross_core_set_flag(2, "PIPE_FIX", 0)
            T.ascend_wait_flag("MTE1_MTE2", 0)
            T.ascend_wait_flag("FIX_M", 0)

        with T.Vector() as sid:
            for i in T.serial(SLOTS):
                T.ascend_cross_core_set_flag(2, "PIPE_MTE2", 1)
            T.ascend_set_flag("MTE3_MTE2", 0)
            for s in T.serial(TILES):
                T.ascend_cross_core_wait_flag(2, "PIPE_MTE2", 0)
                T.ascend_wait_flag("MTE3_MTE2", 0)
                T.copy(workspace[s % SLOTS, sid * 16 : sid * 16 + 16, :], rows_ub)
                T.ascend_cross_core_set_flag(2, "PIPE_MTE2", 1)
                T.ascend_set_flag("MTE2_MTE3", 0)
                T.ascend_wait_flag("MTE2_MTE3", 0)
                T.copy(rows_ub, C[s * TILE_M + sid * 16 : s * TILE_M + sid * 16 + 16, :])
                T.ascend_set_flag("MTE3_MTE2", 0)
            T.ascend_wait_flag("MTE3_MTE2", 0)
    return C
