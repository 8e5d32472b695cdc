# case: K13
# what: the sums lie densely in UB, and the store of a column takes one from every 32 bytes
# twin: row_sums_stored_as_vector.py
# chip: 910b
# expect: out-of-bounds UB @store

import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1])
def row_sums():
    @T.prim_func
    def main(x: T.Tensor((16, 64), "float32"), y: T.Tensor((16, 1), "float32")):
        with T.Kernel(1, is_npu=True) as (_, vid):
            a = T.alloc_ub((8, 64), "float32")
            s = T.alloc_ub((8, 1), "float32")

            with T.Scope("V"):
                T.copy(x[vid * 8, 0], a)
                T.set_flag("mte2", "v", 1)
                T.wait_flag("mte2", "v", 1)
                T.reduce_sum(a, s, dim=-1)
                T.set_flag("v", "mte3", 1)
                T.wait_flag("v", "mte3", 1)
                T.copy(s, y[vid * 8, 0])  # @store

    return main
