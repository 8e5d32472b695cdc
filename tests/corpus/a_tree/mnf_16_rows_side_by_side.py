# case: must-not-flag 16
# what: eight loads fill eight rows of one buffer: nothing overlaps, so none has to wait for another
# twin: load_over_load.py
# chip: 910b
# expect: clean
# values: y = 2 * x

import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1])
def double():
    @T.prim_func
    def main(x: T.Tensor((16, 128), "float32"), y: T.Tensor((16, 128), "float32")):
        with T.Kernel(1, is_npu=True) as (_, vid):
            a = T.alloc_ub((8, 128), "float32")
            b = T.alloc_ub((8, 128), "float32")

            with T.Scope("V"):
                for r in T.serial(8):
                    T.copy(x[vid * 8 + r, 0], a[r, :])
                T.set_flag("mte2", "v", 1)
                T.wait_flag("mte2", "v", 1)
                T.tile.add(b, a, a)
                T.set_flag("v", "mte3", 1)
                T.wait_flag("v", "mte3", 1)
                T.copy(b, y[vid * 8, 0])

    return main
