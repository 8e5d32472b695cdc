# case: facts: sizes of the memories
# what: rows of 32 bytes: every row starts at a block
# twin: row_starts_inside_of_a_block.py
# chip: 910b
# expect: clean

import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1])
def double_second_row():
    @T.prim_func
    def main(x: T.Tensor((2, 8, 8), "float32"), y: T.Tensor((2, 8, 8), "float32")):
        with T.Kernel(1, is_npu=True) as (_, vid):
            a = T.alloc_ub((8, 8), "float32")

            with T.Scope("V"):
                T.copy(x[vid, 0, 0], a)
                T.set_flag("mte2", "v", 1)
                T.wait_flag("mte2", "v", 1)
                T.tile.add(a[1, :], a[1, :], a[1, :])
                T.set_flag("v", "mte3", 1)
                T.wait_flag("v", "mte3", 1)
                T.copy(a, y[vid, 0, 0])

    return main
