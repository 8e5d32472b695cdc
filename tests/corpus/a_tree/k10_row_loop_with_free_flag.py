# case: K10
# what: one MTE3→MTE2 pair a row, behind the store, gives the buffer back to the load
# twin: k10_row_loop_reuses_buffer.py
# chip: 910b
# expect: clean
# expect auto_sync=off: clean
# values: y = 2 * x

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
                    T.copy(x[vid * ROWS + r, 0], a)
                    T.set_flag("mte2", "v", 1)
                    T.wait_flag("mte2", "v", 1)
                    T.tile.mul(a, a, 2.0)
                    T.set_flag("v", "mte3", 1)
                    T.wait_flag("v", "mte3", 1)
                    T.copy(a, y[vid * ROWS + r, 0])
                    T.set_flag("mte3", "mte2", 1)
                    T.wait_flag("mte3", "mte2", 1)

    return main
