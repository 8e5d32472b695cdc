# case: doc: overlapping transfers of one pipe
# what: a barrier of MTE2 between two loads into one buffer
# twin: load_over_load.py
# chip: 910b
# expect: clean
# values: y = 2 * x[1::2]

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
                T.copy(x[vid * 2, 0], a)
                T.pipe_barrier("mte2")
                T.copy(x[vid * 2 + 1, 0], a)
                T.set_flag("mte2", "v", 1)
                T.wait_flag("mte2", "v", 1)
                T.tile.add(b, a, a)
                T.set_flag("v", "mte3", 1)
                T.wait_flag("v", "mte3", 1)
                T.copy(b, y[vid, 0])

    return main
