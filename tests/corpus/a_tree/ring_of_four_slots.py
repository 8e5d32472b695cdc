# case: doc: SetFlag and WaitFlag
# what: four slots, four ids
# chip: 910b
# expect: clean
# expect auto_sync=off: clean
# values: y = 2 * x

import tilelang
import tilelang.language as T

TILES, TILE = 6, 256


@tilelang.jit(out_idx=[-1])
def double():
    @T.prim_func
    def main(x: T.Tensor((2 * TILES, TILE), "float32"), y: T.Tensor((2 * TILES, TILE), "float32")):
        with T.Kernel(1, is_npu=True) as (_, vid):
            a = T.alloc_ub((4, TILE), "float32")
            b = T.alloc_ub((4, TILE), "float32")

            with T.Scope("V"):
                for s in T.serial(4):
                    T.set_flag("v", "mte2", s + 1)
                    T.set_flag("mte3", "v", s + 1)
                for i in T.serial(TILES):
                    slot = i % 4
                    T.wait_flag("v", "mte2", slot + 1)
                    T.copy(x[vid * TILES + i, 0], a[slot, :])
                    T.set_flag("mte2", "v", slot + 1)
                    T.wait_flag("mte2", "v", slot + 1)
                    T.wait_flag("mte3", "v", slot + 1)
                    T.tile.add(b[slot, :], a[slot, :], a[slot, :])
                    T.set_flag("v", "mte2", slot + 1)
                    T.set_flag("v", "mte3", slot + 1)
                    T.wait_flag("v", "mte3", slot + 1)
                    T.copy(b[slot, :], y[vid * TILES + i, 0])
                    T.set_flag("mte3", "v", slot + 1)
                for s in T.serial(4):
                    T.wait_flag("v", "mte2", s + 1)
                    T.wait_flag("mte3", "v", s + 1)

    return main
