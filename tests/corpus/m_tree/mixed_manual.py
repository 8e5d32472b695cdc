# case: cube and vector
# what: a hand-written mixed kernel: rings in L1, one accumulator, one UB tile that AIC and AIVs hand to each other
# chip: 950
# expect: clean
# expect xflag=binary: clean
# values: C = np.maximum(A @ B.T, 0)

import tilelang
import tilelang.ascend.language as T

MANUAL = {tilelang.PassConfigKey.TL_ENABLE_AUTO_SCHEDULE: False}
TILES = 3
TILE_M = 64
N = 64
K = 128
STEP = 64


@tilelang.jit(target="ascend", pass_configs=MANUAL)
def product_relu(A, B):
    A: T.Tensor((TILES * TILE_M, K), T.bfloat16)
    B: T.Tensor((N, K), T.bfloat16)
    C = T.empty((TILES * TILE_M, N), T.float32)

    with T.Kernel(1) as core:
        a_l1 = T.alloc_l1((2, TILE_M, STEP), T.bfloat16)
        b_l1 = T.alloc_l1((2, N, STEP), T.bfloat16)
        c_l0c = T.alloc_l0c((TILE_M, N), T.float32)
        sum_ub = T.alloc_shared((TILE_M // 2, N), T.float32)
        out_ub = T.alloc_shared((TILE_M // 2, N), T.float32)

        with T.Cube():
            T.ascend_set_flag("MTE1_MTE2", 0)
            T.ascend_set_flag("MTE1_MTE2", 1)
            T.ascend_set_flag("FIX_M", 0)
            for s in T.serial(TILES):
                T.ascend_wait_flag("FIX_M", 0)
                for k in T.serial(K // STEP):
                    T.ascend_wait_flag("MTE1_MTE2", k % 2)
                    T.copy(
                        A[s * TILE_M : (s + 1) * TILE_M, k * STEP : (k + 1) * STEP],
                        a_l1[k % 2, :, :],
                    )
                    T.copy(B[0:N, k * STEP : (k + 1) * STEP], b_l1[k % 2, :, :])
                    T.ascend_set_flag("MTE2_MTE1", k % 2)
                    T.ascend_wait_flag("MTE2_MTE1", k % 2)
                    T.gemm(
                        a_l1[k % 2, :, :],
                        b_l1[k % 2, :, :],
                        c_l0c,
                        transpose_B=True,
                        clear_accum=(k == 0),
                    )
                    T.ascend_set_flag("MTE1_MTE2", k % 2)
                T.ascend_set_flag("M_FIX", 0)
                T.ascend_wait_flag("M_FIX", 0)
                T.ascend_cross_core_wait_flag(4, "PIPE_FIX", 0)
                T.ascend_cross_core_wait_flag(4, "PIPE_FIX", 16)
                T.dual_copy(c_l0c, sum_ub)
                T.ascend_cross_core_set_flag(4, "PIPE_FIX", 1)
                T.ascend_cross_core_set_flag(4, "PIPE_FIX", 17)
                T.ascend_set_flag("FIX_M", 0)
            T.ascend_wait_flag("MTE1_MTE2", 0)
            T.ascend_wait_flag("MTE1_MTE2", 1)
            T.ascend_wait_flag("FIX_M", 0)
            T.ascend_cross_core_wait_flag(4, "PIPE_FIX", 0)
            T.ascend_cross_core_wait_flag(4, "PIPE_FIX", 16)

        with T.Vector() as sid:
            T.ascend_cross_core_set_flag(4, "PIPE_V", 0)
            T.ascend_set_flag("MTE3_V", 0)
            for s in T.serial(TILES):
                T.ascend_cross_core_wait_flag(4, "PIPE_V", 1)
                T.ascend_wait_flag("MTE3_V", 0)
                with T.SimtVF(threads=256):
                    for i, j in T.Parallel(TILE_M // 2, N):
                        out_ub[i, j] = T.max(sum_ub[i, j], T.float32(0))
                T.ascend_cross_core_set_flag(4, "PIPE_V", 0)
                T.ascend_set_flag("V_MTE3", 0)
                T.ascend_wait_flag("V_MTE3", 0)
                T.copy(
                    out_ub,
                    C[s * TILE_M + sid * 32 : s * TILE_M + sid * 32 + 32, 0:N],
                )
                T.ascend_set_flag("MTE3_V", 0)
            T.ascend_wait_flag("MTE3_V", 0)
    return C
