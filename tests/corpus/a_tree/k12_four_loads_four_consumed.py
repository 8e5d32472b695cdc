# case: K12
# what: as many tiles are taken as are announced
# twin: k12_four_loads_three_consumed.py
# chip: 910b
# expect: clean
# values: y = 2 * x

import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1])
def double_four():
    @T.prim_func
    def main(x: T.Tensor((1024,), "float32"), y: T.Tensor((1024,), "float32")):
        with T.Kernel(1, is_npu=True) as (_, vid):
            a = T.alloc_ub((4, 128), "float32")

            with T.Scope("V"):
                for i in T.serial(4):
                    T.copy(x[(vid * 4 + i) * 128], a[i, :])
                    T.set_flag("mte2", "v", i + 1)
                for i in T.serial(4):
                    T.wait_flag("mte2", "v", i + 1)
                    T.tile.add(a[i, :], a[i, :], a[i, :])
                    T.set_flag("v", "mte3", 1)
                    T.wait_flag("v", "mte3", 1)
                    T.copy(a[i, :], y[(vid * 4 + i) * 128])

    return main
