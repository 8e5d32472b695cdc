# case: doc: SetFlag and WaitFlag
# what: only a core that used its slot gives it back
# twin: free_flag_outside_of_guard.py
# chip: 910b
# expect: clean
# values: y = 2 * x

import tilelang
import tilelang.language as T

TILES, TILE, ROUNDS = 7, 128, 4


@tilelang.jit(out_idx=[-1])
def double():
    @T.prim_func
    def main(x: T.Tensor((TILES * TILE,), "float32"), y: T.Tensor((TILES * TILE,), "float32")):
        with T.Kernel(1, is_npu=True) as (cid, vid):
            a = T.alloc_ub((2, TILE), "float32")

            with T.Scope("V"):
                for s in T.serial(2):
                    T.set_flag("mte3", "v", s + 1)
                for i in T.serial(ROUNDS):
                    tile = i * 2 + cid * 2 + vid
                    slot = i % 2
                    if tile < TILES:
                        T.wait_flag("mte3", "v", slot + 1)
                        T.set_flag("v", "mte2", slot + 1)
                        T.wait_flag("v", "mte2", slot + 1)
                        T.copy(x[tile * TILE], a[slot, :])
                        T.set_flag("mte2", "v", slot + 1)
                        T.wait_flag("mte2", "v", slot + 1)
                        T.tile.add(a[slot, :], a[slot, :], a[slot, :])
                        T.set_flag("v", "mte3", slot + 1)
                        T.wait_flag("v", "mte3", slot + 1)
                        T.copy(a[slot, :], y[tile * TILE])
                        T.set_flag("mte3", "v", slot + 1)
                for s in T.serial(2):
                    T.wait_flag("mte3", "v", s + 1)

    return main
