"""The AIC hands products over through two slots of a workspace, and hears when a slot has been read. A tree."""

import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1])
def handed(N, K):
    half = 16

    @T.prim_func
    def main(
        A: T.Tensor((32, K), "float16"),
        B: T.Tensor((K, N), "float16"),
        W: T.Tensor((2, 32, 64), "float"),
        Y: T.Tensor((32, N), "float"),
    ):
        with T.Kernel(1, is_npu=True) as (cid, vid):
            left = T.alloc_L1((32, K), "float16")
            right = T.alloc_L1((K, 64), "float16")
            product = T.alloc_L0C((32, 64), "float")
            ub = T.alloc_ub((half, 64), "float")
            with T.Scope("C"):
                T.copy(A[0, 0], left)
                for i in T.serial(N // 64):
                    T.barrier_all()
                    T.copy(B[0, i * 64], right)
                    T.barrier_all()
                    T.gemm_v0(left, right, product, init=True)
                    T.barrier_all()
                    if i >= 2:
                        T.wait_cross_flag(3)
                    T.copy(product, W[i % 2, 0, 0])
                    T.set_cross_flag("FIX", 2)
                T.wait_cross_flag(3)
                T.wait_cross_flag(3)
            with T.Scope("V"):
                for i in T.serial(N // 64):
                    T.wait_cross_flag(2)
                    T.barrier_all()
                    T.copy(W[i % 2, vid * half, 0], ub)
                    T.set_cross_flag("MTE2", 3)
                    T.barrier_all()
                    T.tile.abs(ub, ub)
                    T.barrier_all()
                    T.copy(ub, Y[vid * half, i * 64])

    return main
