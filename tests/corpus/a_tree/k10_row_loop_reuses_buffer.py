# case: K10
# what: one buffer for all rows, and nothing keeps the next load behind the store of the row before
# twin: k10_row_loop_with_free_flag.py
# chip: 910b
# expect: race-war MTE3→MTE2 @store @load
# expect auto_sync=off: race-war MTE3→MTE2 @store @load

import tilelang
import tilelang.language as T

ROWS = 4


@tilelang.jit(out_idx=[-1])
def double_rows():
    @T.prim_func
    def main(x: T.Tensor((2 * ROWS, 128), "float32"), y: T.Tensor((2 * ROWS, 128), "float32")):
        with T.Kernel(1, is_npu=True) as (_, vid):
            a = T.alloc_ub((1, 128), "float32")

            with T.Scope("V"):
                for r in T.serial(ROWS):
                    T.copy(x[vid * ROWS + r, 0], a)  # @load
                    T.set_flag("mte2", "v", 1)
                    T.wait_flag("mte2", "v", 1)
                    T.tile.mul(a, a, 2.0)
                    T.set_flag("v", "mte3", 1)
                    T.wait_flag("v", "mte3", 1)
                    T.copy(a, y[vid * ROWS + r, 0])  # @store

    return main
