# case: cube and vector
# what: the cube loads the operand without waiting for the vector cores
# twin: product_after_relu.py
# chip: 910b
# expect: race-raw AIV MTE3→AIC MTE2 @store @load

import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[3], workspace_idx=[2])
def product_of_relu():
    @T.prim_func
    def main(
        a: T.Tensor((64, 32), "float16"),
        b: T.Tensor((32, 32), "float16"),
        w: T.Tensor((64, 32), "float16"),
        y: T.Tensor((64, 32), "float32"),
    ):
        with T.Kernel(2, is_npu=True) as (cid, vid):
            r_ub = T.alloc_ub((16, 32), "float16")
            w_l1 = T.alloc_L1((32, 32), "float16")
            b_l1 = T.alloc_L1((32, 32), "float16")
            c_l0 = T.alloc_L0C((32, 32), "float32")

            with T.Scope("V"):
                T.copy(a[cid * 32 + vid * 16, 0], r_ub)
                T.set_flag("mte2", "v", 1)
                T.wait_flag("mte2", "v", 1)
                T.tile.relu(r_ub, r_ub)
                T.set_flag("v", "mte3", 1)
                T.wait_flag("v", "mte3", 1)
                T.copy(r_ub, w[cid * 32 + vid * 16, 0])  # @store
                T.set_cross_flag("MTE3", 1)

            with T.Scope("C"):
                T.copy(b[0, 0], b_l1)
                T.copy(w[cid * 32, 0], w_l1)  # @load
                T.gemm_v0(w_l1, b_l1, c_l0, init=True)
                T.copy(c_l0, y[cid * 32, 0])

    return main
