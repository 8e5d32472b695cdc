# case: doc: overlapping transfers of one pipe
# what: a second load into the same buffer: the transfers start in order, but nothing says that they end so
# twin: load_over_load_with_barrier.py
# chip: 910b
# expect: race-waw MTE2→MTE2 @first @second

import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1])
def double_last():
    @T.prim_func
    def main(x: T.Tensor((4, 128), "float32"), y: T.Tensor((2, 128), "float32")):
        with T.Kernel(1, is_npu=True) as (_, vid):
            a = T.alloc_ub((1, 128), "float32")
            b = T.alloc_ub((1, 128), "float32")

            with T.Scope("V"):
                T.copy(x[vid * 2, 0], a)  # @first
                T.copy(x[vid * 2 + 1, 0], a)  # @second
                T.set_flag("mte2", "v", 1)
                T.wait_flag("mte2", "v", 1)
                T.tile.add(b, a, a)
                T.set_flag("v", "mte3", 1)
                T.wait_flag("v", "mte3", 1)
                T.copy(b, y[vid, 0])

    return main
