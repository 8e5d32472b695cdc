# case: facts: flags inside of T.copy
# what: a copy of a short tile uses id 0 itself while the ring still holds it
# twin: ids_beside_the_copy_template.py
# chip: 910b
# expect: flag-set-twice MTE3→V @done @load; flag-set-twice V→MTE2 @free @load

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
                    T.set_flag("v", "mte2", s + 0)
                    T.set_flag("mte3", "v", s + 0)
                for i in T.serial(2):
                    T.wait_flag("v", "mte2", i + 0)
                    T.copy(x[(vid * 2 + i) * TILE], a[i, :])  # @load
                    T.set_flag("mte2", "v", i + 0)
                    T.wait_flag("mte2", "v", i + 0)
                    T.wait_flag("mte3", "v", i + 0)
                    T.tile.add(b[i, :], a[i, :], a[i, :])
                    T.set_flag("v", "mte2", i + 0)  # @free
                    T.set_flag("v", "mte3", i + 0)
                    T.wait_flag("v", "mte3", i + 0)
                    T.copy(b[i, :], y[(vid * 2 + i) * TILE])
                    T.set_flag("mte3", "v", i + 0)  # @done
                for s in T.serial(2):
                    T.wait_flag("v", "mte2", s + 0)
                    T.wait_flag("mte3", "v", s + 0)

    return main
