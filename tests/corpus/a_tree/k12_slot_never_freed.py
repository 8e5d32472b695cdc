# case: K12
# what: the slot is primed once and never given back: the second load waits for ever
# twin: k12_slot_freed.py
# chip: 910b
# expect: wait-without-set V→MTE2 @wait

import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1])
def double():
    @T.prim_func
    def main(x: T.Tensor((512,), "float32"), y: T.Tensor((512,), "float32")):
        with T.Kernel(1, is_npu=True) as (_, vid):
            a = T.alloc_ub((128,), "float32")
            b = T.alloc_ub((2, 128), "float32")

            with T.Scope("V"):
                T.set_flag("v", "mte2", 1)
                for i in T.serial(2):
                    T.wait_flag("v", "mte2", 1)  # @wait
                    T.copy(x[(vid * 2 + i) * 128], a)
                    T.set_flag("mte2", "v", 1)
                    T.wait_flag("mte2", "v", 1)
                    T.tile.add(b[i, :], a, a)
                    T.set_flag("v", "mte3", 1)
                    T.wait_flag("v", "mte3", 1)
                    T.copy(b[i, :], y[(vid * 2 + i) * 128])

    return main
