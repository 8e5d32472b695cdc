# case: must-not-flag 5
# what: two in-place additions in a row; without the compiler's barriers the second reads too early
# chip: 910b
# expect: clean
# expect auto_sync=off: race-raw V→V @first @second
# values: y = 4 * x

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
                T.wait_flag("mte2", "v", 1)
                T.tile.add(a, a, a)  # @first
                T.tile.add(a, a, a)  # @second
                T.set_flag("v", "mte3", 1)
                T.wait_flag("v", "mte3", 1)
                T.copy(a, y[vid * 256])

    return main
