# case: must-not-flag 1
# what: float32 becomes bfloat16 with CAST_RINT, one of the modes that the table has
# chip: 910b
# expect: clean
# values: y = x

import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1])
def narrow():
    @T.prim_func
    def main(x: T.Tensor((2048,), "float32"), y: T.Tensor((2048,), "bfloat16")):
        with T.Kernel(1, is_npu=True) as (_, vid):
            a = T.alloc_ub((1024,), "float32")
            b = T.alloc_ub((1024,), "bfloat16")

            with T.Scope("V"):
                T.copy(x[vid * 1024], a)
                T.set_flag("mte2", "v", 1)
                T.wait_flag("mte2", "v", 1)
                T.tile.cast(b, a, "CAST_RINT", 1024)
                T.set_flag("v", "mte3", 1)
                T.wait_flag("v", "mte3", 1)
                T.copy(b, y[vid * 1024])

    return main
