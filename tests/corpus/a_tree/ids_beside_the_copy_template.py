# case: facts: flags inside of T.copy
# what: ids from 1 on leave id 0 to the copy of the short tile
# twin: ids_of_the_copy_template.py
# chip: 910b
# expect: clean
# values: y = 2 * x

import tilelang
import tilelang.language as T

N, TILE = 456, 128


@tilelang.jit(out_idx=[-1])
def double():
    @T.prim_func
    def main(x: T.Tensor((N,), "float32"), y: T.Tensor((N,), "float32")):
        with T.Kernel(1, is_npu=True) as (_, vid):
            a = T.alloc_ub((2, TILE), "float32")
            b = T.alloc_ub((2, TILE), "float32")

            with T.Scope("V"):
                for s in T.serial(2):
                    T.set_flag("v", "mte2", s + 1)
                    T.set_flag("mte3", "v", s + 1)
                for i in T.serial(2):
                    T.wait_flag("v", "mte2", i + 1)
                    T.copy(x[(vid * 2 + i) * TILE], a[i, :])
                    T.set_flag("mte2", "v", i + 1)
                    T.wait_flag("mte2", "v", i + 1)
                    T.wait_flag("mte3", "v", i + 1)
                    T.tile.add(b[i, :], a[i, :], a[i, :])
                    T.set_flag("v", "mte2", i + 1)
                    T.set_flag("v", "mte3", i + 1)
                    T.wait_flag("v", "mte3", i + 1)
                    T.copy(b[i, :], y[(vid * 2 + i) * TILE])
                    T.set_flag("mte3", "v", i + 1)
                for s in T.serial(2):
                    T.wait_flag("v", "mte2", s + 1)
                    T.wait_flag("mte3", "v", s + 1)

    return main
