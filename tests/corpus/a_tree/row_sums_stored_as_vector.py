# case: K13
# what: the sums are stored as one burst
# twin: row_sums_stored_as_column.py
# chip: 910b
# expect: clean
# values: y = x.sum(1) ~ 1e-4

import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1])
def row_sums():
    @T.prim_func
    def main(x: T.Tensor((16, 64), "float32"), y: T.Tensor((16,), "float32")):
        with T.Kernel(1, is_npu=True) as (_, vid):
            a = T.alloc_ub((8, 64), "float32")
            s = T.alloc_ub((8,), "float32")

            with T.Scope("V"):
                T.copy(x[vid * 8, 0], a)
                T.set_flag("mte2", "v", 1)
                T.wait_flag("mte2", "v", 1)
                T.reduce_sum(a, s, dim=-1)
                T.set_flag("v", "mte3", 1)
                T.wait_flag("v", "mte3", 1)
                T.copy(s, y[vid * 8])

    return main
