# case: K02
# what: the third step writes the first slot, and nothing says that the vector cores have read it
# twin: k02_free_flag.py
# chip: 910b
# expect: race-war AIV MTE2→AIC FIX @load @store
# expect xflag=binary: race-war AIV MTE2→AIC FIX @load @store; cross-flag-overflow AIC FIX→AIV S @set

import tilelang
import tilelang.language as T

STEPS = 3
TILE = 32


@tilelang.jit(out_idx=[3], workspace_idx=[2])
def doubled_product():
    @T.prim_func
    def main(
        a: T.Tensor((STEPS * TILE, 32), "float16"),
        b: T.Tensor((32, 32), "float16"),
        w: T.Tensor((2 * TILE, 32), "float32"),
        y: T.Tensor((STEPS * TILE, 32), "float32"),
    ):
        with T.Kernel(1, is_npu=True) as (_, vid):
            a_l1 = T.alloc_L1((TILE, 32), "float16")
            b_l1 = T.alloc_L1((32, 32), "float16")
            c_l0 = T.alloc_L0C((TILE, 32), "float32")
            w_ub = T.alloc_ub((TILE // 2, 32), "float32")
            y_ub = T.alloc_ub((TILE // 2, 32), "float32")

            with T.Scope("C"):
                T.copy(b[0, 0], b_l1)
                for s in T.serial(STEPS):
                    T.copy(a[s * TILE, 0], a_l1)
                    T.gemm_v0(a_l1, b_l1, c_l0, init=True)
                    T.copy(c_l0, w[s % 2 * TILE, 0])  # @store
                    T.set_cross_flag("FIX", 0)  # @set

            with T.Scope("V"):
                for s in T.serial(STEPS):
                    T.wait_cross_flag(0)
                    T.copy(w[s % 2 * TILE + vid * 16, 0], w_ub)  # @load
                    T.set_flag("mte2", "v", 1)
                    T.wait_flag("mte2", "v", 1)
                    T.tile.add(y_ub, w_ub, w_ub)
                    T.set_flag("v", "mte3", 1)
                    T.wait_flag("v", "mte3", 1)
                    T.copy(y_ub, y[s * TILE + vid * 16, 0])
                    T.barrier_all()

    return main
