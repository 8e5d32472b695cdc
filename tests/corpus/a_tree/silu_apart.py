# case: facts: not in place
# what: silu with a buffer of its own for the result
# twin: silu_in_place.py
# chip: 910b
# expect: clean
# values: y = x / (1 + np.exp(-x)) ~ 1e-3

import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1])
def silu():
    @T.prim_func
    def main(x: T.Tensor((512,), "float32"), y: T.Tensor((512,), "float32")):
        with T.Kernel(1, is_npu=True) as (_, vid):
            a = T.alloc_ub((256,), "float32")
            b = T.alloc_ub((256,), "float32")

            with T.Scope("V"):
                T.copy(x[vid * 256], a)
                T.set_flag("mte2", "v", 1)
                T.wait_flag("mte2", "v", 1)
                T.tile.silu(b, a)
                T.set_flag("v", "mte3", 1)
                T.wait_flag("v", "mte3", 1)
                T.copy(b, y[vid * 256])

    return main
