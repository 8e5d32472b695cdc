# case: doc: SetFlag and WaitFlag
# what: the flag is set and nobody waits for it: the add may come too early, and the flag stays
# twin: k11_flags_on_both_edges.py
# chip: 910b
# expect: race-raw MTE2→V @load @add

import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1])
def double():
    @T.prim_func
    def main(x: T.Tensor((512,), "float32"), y: T.Tensor((512,), "float32")):
        with T.Kernel(1, is_npu=True) as (_, vid):
            a = T.alloc_ub((256,), "float32")
            b = T.alloc_ub((256,), "float32")

            with T.Scope("V"):
                T.copy(x[vid * 256], a)  # @load
                T.set_flag("mte2", "v", 1)
                T.tile.add(b, a, a)  # @add
                T.set_flag("v", "mte3", 1)
                T.wait_flag("v", "mte3", 1)
                T.copy(b, y[vid * 256])

    return main
