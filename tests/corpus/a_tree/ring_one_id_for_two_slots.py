# case: doc: SetFlag and WaitFlag
# what: both slots are primed with the same id: a flag holds one event, the second is lost
# twin: ring_complete.py
# chip: 910b
# expect: flag-set-twice V→MTE2 @prime_in; flag-set-twice MTE3→V @prime_out

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
                for _ in T.serial(2):
                    T.set_flag("v", "mte2", 1)  # @prime_in
                    T.set_flag("mte3", "v", 1)  # @prime_out
                for i in T.serial(TILES):
                    slot = i % 2
                    T.wait_flag("v", "mte2", 1)
                    T.copy(x[vid * TILES + i, 0], a[slot, :])
                    T.set_flag("mte2", "v", 1)
                    T.wait_flag("mte2", "v", 1)
                    T.wait_flag("mte3", "v", 1)
                    T.tile.add(b[slot, :], a[slot, :], a[slot, :])
                    T.set_flag("v", "mte2", 1)
                    T.set_flag("v", "mte3", 1)
                    T.wait_flag("v", "mte3", 1)
                    T.copy(b[slot, :], y[vid * TILES + i, 0])
                    T.set_flag("mte3", "v", 1)
                for _ in T.serial(2):
                    T.wait_flag("v", "mte2", 1)
                    T.wait_flag("mte3", "v", 1)

    return main
