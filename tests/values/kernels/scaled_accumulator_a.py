# chip: 910b

import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1])
def scaled_accumulator_a():
    @T.prim_func
    def main(x: T.Tensor((64,), "int32"), y: T.Tensor((64,), "float32")):
        with T.Kernel(1, is_npu=True) as (cid, vid):
            sums = T.alloc_ub((64,), "int32")
            scaled = T.alloc_ub((64,), "float32")

            with T.Scope("V"):
                if vid == 0:
                    T.copy(x[0], sums)
                    T.set_flag("mte2", "v", 1)
                    T.wait_flag("mte2", "v", 1)
                    T.tile.cast(scaled, sums, "CAST_RINT", 64)
                    T.pipe_barrier("v")
                    T.tile.mul(scaled, scaled, 0.01)
                    T.set_flag("v", "mte3", 1)
                    T.wait_flag("v", "mte3", 1)
                    T.copy(scaled, y[0])

    return main
