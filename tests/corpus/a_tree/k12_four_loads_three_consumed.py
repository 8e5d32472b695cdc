# case: K12
# what: four tiles are announced and three are taken: the flag of the fourth stays set
# twin: k12_four_loads_four_consumed.py
# chip: 910b
# expect: flag-left-set MTE2→V @set
# values: y = np.concatenate([2 * x[:384], 2 * x[512:896]])

import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1])
def double_three():
    @T.prim_func
    def main(x: T.Tensor((1024,), "float32"), y: T.Tensor((768,), "float32")):
        with T.Kernel(1, is_npu=True) as (_, vid):
            a = T.alloc_ub((4, 128), "float32")

            with T.Scope("V"):
                for i in T.serial(4):
                    T.copy(x[(vid * 4 + i) * 128], a[i, :])
                    T.set_flag("mte2", "v", i + 1)  # @set
                for i in T.serial(3):
                    T.wait_flag("mte2", "v", i + 1)
                    T.tile.add(a[i, :], a[i, :], a[i, :])
                    T.set_flag("v", "mte3", 1)
                    T.wait_flag("v", "mte3", 1)
                    T.copy(a[i, :], y[(vid * 3 + i) * 128])

    return main
