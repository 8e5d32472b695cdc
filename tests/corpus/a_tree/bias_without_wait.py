# case: cube and vector
# what: the vector cores do not wait for the cube
# twin: bias_after_product.py
# chip: 910b
# expect: race-raw AIC FIX→AIV MTE2 @store @load

import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[4], workspace_idx=[3])
def product_with_bias():
    @T.prim_func
    def main(
        a: T.Tensor((64, 32), "float16"),
        b: T.Tensor((32, 32), "float16"),
        v: T.Tensor((1, 32), "float32"),
        w: T.Tensor((64, 32), "float32"),
        y: T.Tensor((64, 32), "float32"),
    ):
        with T.Kernel(2, is_npu=True) as (cid, vid):
            a_l1 = T.alloc_L1((32, 32), "float16")
            b_l1 = T.alloc_L1((32, 32), "float16")
            c_l0 = T.alloc_L0C((32, 32), "float32")
            w_ub = T.alloc_ub((16, 32), "float32")
            v_ub = T.alloc_ub((1, 32), "float32")

            with T.Scope("C"):
                T.copy(a[cid * 32, 0], a_l1)
                T.copy(b[0, 0], b_l1)
                T.gemm_v0(a_l1, b_l1, c_l0, init=True)
                T.copy(c_l0, w[cid * 32, 0])  # @store
                T.set_cross_flag("FIX", 1)

            with T.Scope("V"):
                T.copy(v[0, 0], v_ub)

                T.copy(w[cid * 32 + vid * 16, 0], w_ub)  # @load
                T.set_flag("mte2", "v", 1)
                T.wait_flag("mte2", "v", 1)
                for r in T.serial(16):
                    T.tile.add(w_ub[r, :], w_ub[r, :], v_ub[0, :])
                T.set_flag("v", "mte3", 1)
                T.wait_flag("v", "mte3", 1)
                T.copy(w_ub, y[cid * 32 + vid * 16, 0])

    return main
