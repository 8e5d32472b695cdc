# chip: 910b

import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1])
def int8_to_half_a():
    @T.prim_func
    def main(x: T.Tensor((33,), "int8"), y: T.Tensor((33,), "float16")):
        with T.Kernel(1, is_npu=True) as (cid, vid):
            bytes_ub = T.alloc_ub((64,), "int8")
            halves = T.alloc_ub((64,), "float16")

            with T.Scope("V"):
                if vid == 0:
                    T.copy(x[0], bytes_ub)
                    T.set_flag("mte2", "v", 1)
                    T.wait_flag("mte2", "v", 1)
                    T.tile.cast(halves, bytes_ub, "CAST_NONE", 64)
                    T.set_flag("v", "mte3", 1)
                    T.wait_flag("v", "mte3", 1)
                    T.copy(halves, y[0])

    return main
