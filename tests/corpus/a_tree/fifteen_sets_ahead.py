# case: cube and vector
# what: fifteen sets without a wait are the most that a cross-core flag takes
# twin: sixteen_sets_ahead.py
# chip: 910b
# expect: clean
# values: y = np.maximum(a.astype(np.float32) @ b.astype(np.float32), 0) ~ 1e-3

import tilelang
import tilelang.language as T

STEPS = 15


@tilelang.jit(out_idx=[3], workspace_idx=[2])
def products():
    @T.prim_func
    def main(
        a: T.Tensor((STEPS * 16, 16), "float16"),
        b: T.Tensor((16, 16), "float16"),
        w: T.Tensor((STEPS * 16, 16), "float32"),
        y: T.Tensor((STEPS * 16, 16), "float32"),
    ):
        with T.Kernel(1, is_npu=True) as (cid, vid):
            a_l1 = T.alloc_L1((16, 16), "float16")
            b_l1 = T.alloc_L1((16, 16), "float16")
            c_l0 = T.alloc_L0C((16, 16), "float32")
            w_ub = T.alloc_ub((8, 16), "float32")

            with T.Scope("C"):
                T.copy(b[cid * 16, 0], b_l1)
                for s in T.serial(STEPS):
                    T.copy(a[s * 16, 0], a_l1)
                    T.gemm_v0(a_l1, b_l1, c_l0, init=True)
                    T.copy(c_l0, w[s * 16, 0])
                    T.set_cross_flag("FIX", 3)

            with T.Scope("V"):
                for s in T.serial(STEPS):
                    T.wait_cross_flag(3)
                    T.copy(w[s * 16 + vid * 8, 0], w_ub)
                    T.barrier_all()
                    T.tile.relu(w_ub, w_ub)
                    T.barrier_all()
                    T.copy(w_ub, y[s * 16 + vid * 8, 0])
                    T.barrier_all()

    return main
