# case: facts: fields of instructions
# what: 240 rows of 128 numbers: both fields of the instruction hold them
# twin: half_sum_of_too_many_rows.py
# chip: 910b
# expect: clean

import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1])
def row_sums():
    @T.prim_func
    def main(x: T.Tensor((2, 240, 128), "float16"), y: T.Tensor((2, 240), "float16")):
        with T.Kernel(1, is_npu=True) as (_, vid):
            a = T.alloc_ub((240, 128), "float16")
            s = T.alloc_ub((240,), "float16")

            with T.Scope("V"):
                T.copy(x[vid, 0, 0], a)
                T.set_flag("mte2", "v", 1)
                T.wait_flag("mte2", "v", 1)
                T.reduce_sum(a, s, dim=-1)
                T.set_flag("v", "mte3", 1)
                T.wait_flag("v", "mte3", 1)
                T.copy(s, y[vid, 0])

    return main
