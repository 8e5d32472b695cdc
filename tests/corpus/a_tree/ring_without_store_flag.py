# case: doc: SetFlag and WaitFlag
# what: nothing tells the store that the result is there
# twin: ring_complete.py
# chip: 910b
# expect: race-raw V→MTE3 @add @store
# expect auto_sync=off: race-raw V→MTE3 @add @store

import tilelang
import tilelang.language as T

TILES, TILE = 6, 256


@tilelang.jit(out_idx=[-1])
def double():
    @T.prim_func
    def main(x: T.Tensor((2 * TILES, TILE), "float32"), y: T.Tensor((2 * TILES, TILE), "float32")):
        with T.Kernel(1, is_npu=True) as (_, vid):
            a = T.alloc_ub((2, TILE), "float32")
            b = T.alloc_ub((2, TILE), "float32")

            with T.Scope("V"):
                for s in T.serial(2):
                    T.set_flag("v", "mte2", s + 1)
                    T.set_flag("mte3", "v", s + 1)
                for i in T.serial(TILES):
                    slot = i % 2
                    T.wait_flag("v", "mte2", slot + 1)
                    T.copy(x[vid * TILES + i, 0], a[slot, :])
                    T.set_flag("mte2", "v", slot + 1)
                    T.wait_flag("mte2", "v", slot + 1)
                    T.wait_flag("mte3", "v", slot + 1)
                    T.tile.add(b[slot, :], a[slot, :], a[slot, :])  # @add
                    T.set_flag("v", "mte2", slot + 1)
                    T.copy(b[slot, :], y[vid * TILES + i, 0])  # @store
                    T.set_flag("mte3", "v", slot + 1)
                for s in T.serial(2):
                    T.wait_flag("v", "mte2", s + 1)
                    T.wait_flag("mte3", "v", s + 1)

    return main
