# case: K13
# what: a buffer (8, 1) is planned dense, but copies give every row 32 bytes: they run over its end
# twin: k13_column_as_vector.py
# chip: 910b
# expect: out-of-bounds UB @load; out-of-bounds UB @store

import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1])
def copy_column():
    @T.prim_func
    def main(x: T.Tensor((16, 1), "float32"), y: T.Tensor((16, 1), "float32")):
        with T.Kernel(1, is_npu=True) as (_, vid):
            a = T.alloc_ub((8, 1), "float32")

            with T.Scope("V"):
                T.copy(x[vid * 8, 0], a)  # @load
                T.set_flag("mte2", "mte3", 1)
                T.wait_flag("mte2", "mte3", 1)
                T.copy(a, y[vid * 8, 0])  # @store

    return main
