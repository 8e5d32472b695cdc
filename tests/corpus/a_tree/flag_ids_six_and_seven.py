# case: doc: event ids
# what: ids 6 and 7 are kept for the framework, which this tree does without: worth a note
# twin: flag_id_out_of_range.py
# chip: 910b
# expect: clean; note flag-id
# values: y = 2 * x

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
                T.copy(x[vid * 256], a)
                T.set_flag("mte2", "v", 6)
                T.wait_flag("mte2", "v", 6)
                T.tile.add(b, a, a)
                T.set_flag("v", "mte3", 7)
                T.wait_flag("v", "mte3", 7)
                T.copy(b, y[vid * 256])

    return main
