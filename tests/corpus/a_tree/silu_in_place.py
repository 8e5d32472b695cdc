# case: facts: not in place
# what: silu writes before it has read its operand for the last time
# twin: silu_apart.py
# chip: 910b
# expect: operand-overlap @silu

import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1])
def silu():
    @T.prim_func
    def main(x: T.Tensor((512,), "float32"), y: T.Tensor((512,), "float32")):
        with T.Kernel(1, is_npu=True) as (_, vid):
            a = T.alloc_ub((256,), "float32")

            with T.Scope("V"):
                T.copy(x[vid * 256], a)
                T.set_flag("mte2", "v", 1)
                T.wait_flag("mte2", "v", 1)
                T.tile.silu(a, a)  # @silu
                T.set_flag("v", "mte3", 1)
                T.wait_flag("v", "mte3", 1)
                T.copy(a, y[vid * 256])

    return main
