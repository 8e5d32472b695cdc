"""Both AIVs of a block take half of each product, and tell the AIC when their half of UB is free again. M tree."""

import tilelang
import tilelang.ascend.language as T


@tilelang.jit(target="ascend", pass_configs={"tl.enable_auto_schedule": False})
def halves(M, N, K):
    half = 32

    @T.prim_func
    def main(
        X: T.Buffer((M, K), "float16"),
        W: T.Buffer((N, K), "float16"),
        Y: T.Buffer((M, N), "float32"),
    ):
        with T.Kernel(1) as block:
            left = T.alloc_l1((64, K), "float16")
            right = T.alloc_l1((N, K), "float16")
            product = T.alloc_l0c((64, N), "float32")
            ub = T.alloc_shared((half, N), "float32")
            with T.Cube():
                T.copy(W[0:N, 0:K], right)
                T.ascend_set_flag("MTE1_MTE2", 0)
                T.ascend_set_flag("FIX_M", 0)
                for i in T.serial(M // 64):
                    T.ascend_wait_flag("MTE1_MTE2", 0)
                    T.copy(X[i * 64 : (i + 1) * 64, 0:K], left)
                    T.ascend_set_flag("MTE2_MTE1", 0)
                    T.ascend_wait_flag("MTE2_MTE1", 0)
                    T.ascend_wait_flag("FIX_M", 0)
                    T.gemm(left, right, product, transpose_B=True, clear_accum=True)
                    T.ascend_set_flag("MTE1_MTE2", 0)
                    T.ascend_set_flag("M_FIX", 0)
                    T.ascend_wait_flag("M_FIX", 0)
                    T.ascend_cross_core_wait_flag(4, "PIPE_FIX", 2)
                    T.ascend_cross_core_wait_flag(4, "PIPE_FIX", 18)
                    T.dual_copy(product, ub)
                    T.ascend_cross_core_set_flag(4, "PIPE_FIX", 3)
                    T.ascend_cross_core_set_flag(4, "PIPE_FIX", 19)
                    T.ascend_set_flag("FIX_M", 0)
                T.ascend_wait_flag("MTE1_MTE2", 0)
                T.ascend_wait_flag("FIX_M", 0)
                T.ascend_cross_core_wait_flag(4, "PIPE_FIX", 2)
                T.ascend_cross_core_wait_flag(4, "PIPE_FIX", 18)
            with T.Vector() as sub:
                T.ascend_cross_core_set_flag(4, "PIPE_MTE3", 2)
                for i in T.serial(M // 64):
                    T.ascend_cross_core_wait_flag(4, "PIPE_V", 3)
                    with T.SimtVF(threads=128):
                        for r, c in T.Parallel(half, N):
                            ub[r, c] = T.abs(ub[r, c])
                    T.ascend_set_flag("V_MTE3", 0)
                    T.ascend_wait_flag("V_MTE3", 0)
                    T.copy(ub, Y[i * 64 + sub * half, 0])
                    T.ascend_cross_core_set_flag(4, "PIPE_MTE3", 2)

    return main
