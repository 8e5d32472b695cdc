# case: between blocks
# what: the blocks add to an output that nobody has cleared
# twin: atomic_sum_of_blocks.py
# chip: 910b
# expect: uninitialised-read @add

import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1])
def column_sums():
    @T.prim_func
    def main(x: T.Tensor((8, 64), "float32"), y: T.Tensor((2, 64), "float32")):
        with T.Kernel(4, is_npu=True) as (cid, vid):
            a = T.alloc_ub((1, 64), "float32")

            with T.Scope("V"):
                T.copy(x[cid * 2 + vid, 0], a)
                T.set_flag("mte2", "mte3", 1)
                T.wait_flag("mte2", "mte3", 1)
                T.tile.atomic_add(y[vid, 0], a)  # @add

    return main
