# case: doc: SetFlag and WaitFlag
# what: flags for four slots let the load run four tiles ahead, over buffers of two
# twin: ring_complete.py
# chip: 910b
# expect: race-war V→MTE2 @add @load; race-war MTE3→V @store @add
# expect auto_sync=off: race-war V→MTE2 @add @load; race-war MTE3→V @store @add

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
                for s in T.serial(4):
                    T.set_flag("v", "mte2", s + 1)
                    T.set_flag("mte3", "v", s + 1)
                for i in T.serial(TILES):
                    slot = i % 2
                    T.wait_flag("v", "mte2", i % 4 + 1)
                    T.copy(x[vid * TILES + i, 0], a[slot, :])  # @load
                    T.set_flag("mte2", "v", i % 4 + 1)
                    T.wait_flag("mte2", "v", i % 4 + 1)
                    T.wait_flag("mte3", "v", i % 4 + 1)
                    T.tile.add(b[slot, :], a[slot, :], a[slot, :])  # @add
                    T.set_flag("v", "mte2", i % 4 + 1)
                    T.set_flag("v", "mte3", i % 4 + 1)
                    T.wait_flag("v", "mte3", i % 4 + 1)
                    T.copy(b[slot, :], y[vid * TILES + i, 0])  # @store
                    T.set_flag("mte3", "v", i % 4 + 1)
                for s in T.serial(4):
                    T.wait_flag("v", "mte2", s + 1)
                    T.wait_flag("mte3", "v", s + 1)

    return main
