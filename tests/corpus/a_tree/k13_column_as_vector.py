# case: K13
# what: the same eight numbers through a buffer of one dimension
# twin: k13_column_of_one.py
# chip: 910b
# expect: clean
# values: y = x

import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1])
def copy_column():
    @T.prim_func
    def main(x: T.Tensor((16,), "float32"), y: T.Tensor((16,), "float32")):
        with T.Kernel(1, is_npu=True) as (_, vid):
            a = T.alloc_ub((8,), "float32")

            with T.Scope("V"):
                T.copy(x[vid * 8], a)
                T.set_flag("mte2", "mte3", 1)
                T.wait_flag("mte2", "mte3", 1)
                T.copy(a, y[vid * 8])

    return main
