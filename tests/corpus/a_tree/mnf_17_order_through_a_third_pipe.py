# case: must-not-flag 17
# what: the load comes after the store, and the store after the add that read the buffer: no flag V→MTE2 is needed
# chip: 910b
# expect: clean
# expect auto_sync=off: clean
# values: y = 2 * x

import tilelang
import tilelang.language as T

TILES = 4


@tilelang.jit(out_idx=[-1])
def double():
    @T.prim_func
    def main(x: T.Tensor((2 * TILES, 256), "float32"), y: T.Tensor((2 * TILES, 256), "float32")):
        with T.Kernel(1, is_npu=True) as (_, vid):
            a = T.alloc_ub((1, 256), "float32")
            b = T.alloc_ub((1, 256), "float32")

            with T.Scope("V"):
                for i in T.serial(TILES):
                    T.copy(x[vid * TILES + i, 0], a)
                    T.set_flag("mte2", "v", 1)
                    T.wait_flag("mte2", "v", 1)
                    T.tile.add(b, a, a)
                    T.set_flag("v", "mte3", 1)
                    T.wait_flag("v", "mte3", 1)
                    T.copy(b, y[vid * TILES + i, 0])
                    T.set_flag("mte3", "mte2", 1)
                    T.wait_flag("mte3", "mte2", 1)

    return main
