# case: doc: SetFlag and WaitFlag
# what: the load announces itself to the vector unit, and the store waits for another event
# twin: k11_flags_on_both_edges.py
# chip: 910b
# expect: wait-without-set MTE2→MTE3 @wait
# expect flag_identity=strict: clean

import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1])
def double():
    @T.prim_func
    def main(x: T.Tensor((512,), "float32"), y: T.Tensor((512,), "float32")):
        with T.Kernel(1, is_npu=True) as (_, vid):
            a = T.alloc_ub((256,), "float32")

            with T.Scope("V"):
                T.copy(x[vid * 256], a)
                T.set_flag("mte2", "v", 1)
                T.wait_flag("mte2", "mte3", 1)  # @wait
                T.copy(a, y[vid * 256])

    return main
