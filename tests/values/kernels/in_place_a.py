# chip: 910b

import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1])
def in_place_a():
    @T.prim_func
    def main(x: T.Tensor((1000,), "float32"), y: T.Tensor((1000,), "float32")):
        with T.Kernel(1, is_npu=True) as (cid, vid):
            tile = T.alloc_ub((1000,), "float32")

            with T.Scope("V"):
                if vid == 0:
                    T.copy(x[0], tile)
                    T.set_flag("mte2", "v", 1)
                    T.wait_flag("mte2", "v", 1)
                    T.tile.mul(tile, tile, 3.0)
                    T.set_flag("v", "mte3", 1)
                    T.wait_flag("v", "mte3", 1)
                    T.copy(tile, y[0])

    return main
