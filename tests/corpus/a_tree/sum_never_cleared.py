# case: issue: reads of bytes never written
# what: the sum starts from what happens to lie in UB
# twin: sum_cleared.py
# chip: 910b
# expect: uninitialised-read @add

import tilelang
import tilelang.language as T

STEPS = 4


@tilelang.jit(out_idx=[-1])
def column_sums():
    @T.prim_func
    def main(x: T.Tensor((2, STEPS, 128), "float32"), y: T.Tensor((2, 128), "float32")):
        with T.Kernel(1, is_npu=True) as (_, vid):
            a = T.alloc_ub((STEPS, 128), "float32")
            s = T.alloc_ub((1, 128), "float32")

            with T.Scope("V"):
                T.copy(x[vid, 0, 0], a)
                T.set_flag("mte2", "v", 1)
                T.wait_flag("mte2", "v", 1)
                for k in T.serial(STEPS):
                    T.pipe_barrier("v")
                    T.tile.add(s[0, :], s[0, :], a[k, :])  # @add
                T.set_flag("v", "mte3", 1)
                T.wait_flag("v", "mte3", 1)
                T.copy(s, y[vid, 0])

    return main
