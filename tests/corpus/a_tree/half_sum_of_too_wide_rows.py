# case: facts: fields of instructions
# what: one repeat sums at most 128 half-precision numbers, and rows have 256
# twin: half_sum_that_fits.py
# chip: 910b
# expect: argument-range @sum

import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1])
def row_sums():
    @T.prim_func
    def main(x: T.Tensor((2, 16, 256), "float16"), y: T.Tensor((2, 16), "float16")):
        with T.Kernel(1, is_npu=True) as (_, vid):
            a = T.alloc_ub((16, 256), "float16")
            s = T.alloc_ub((16,), "float16")

            with T.Scope("V"):
                T.copy(x[vid, 0, 0], a)
                T.set_flag("mte2", "v", 1)
                T.wait_flag("mte2", "v", 1)
                T.reduce_sum(a, s, dim=-1)  # @sum
                T.set_flag("v", "mte3", 1)
                T.wait_flag("v", "mte3", 1)
                T.copy(s, y[vid, 0])

    return main
