# case: must-not-flag 13
# what: 1003 half-precision elements for each core: no burst is a whole number of blocks
# chip: 910b
# expect: clean
# values: y = 2 * x

import tilelang
import tilelang.language as T

N = 1003


@tilelang.jit(out_idx=[-1])
def double():
    @T.prim_func
    def main(x: T.Tensor((2, N), "float16"), y: T.Tensor((2, N), "float16")):
        with T.Kernel(1, is_npu=True) as (_, vid):
            a = T.alloc_ub((1, 1008), "float16")
            b = T.alloc_ub((1, 1008), "float16")

            with T.Scope("V"):
                T.copy(x[vid, 0], a)
                T.set_flag("mte2", "v", 1)
                T.wait_flag("mte2", "v", 1)
                T.tile.add(b, a, a)
                T.set_flag("v", "mte3", 1)
                T.wait_flag("v", "mte3", 1)
                T.copy(b, y[vid, 0])

    return main
