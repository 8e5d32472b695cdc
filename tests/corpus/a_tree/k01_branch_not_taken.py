# case: K01
# what: the size given to the factory switches the branch with the only barrier off
# twin: k01_branch_taken.py
# chip: 910b
# arg: n=0
# expect: clean
# expect auto_sync=off: race-raw V→V @fill @add
# values: y = np.full(128, 6.0)

import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1])
def doubled_fill(n):
    @T.prim_func
    def main(y: T.Tensor((128,), "float32")):
        with T.Kernel(1, is_npu=True) as (_, vid):
            a = T.alloc_ub((64,), "float32")
            b = T.alloc_ub((64,), "float32")
            c = T.alloc_ub((64,), "float32")
            d = T.alloc_ub((64,), "float32")

            with T.Scope("V"):
                T.tile.fill(a, 3.0)  # @fill
                for _ in T.serial(n):
                    T.tile.fill(b, 1.0)
                    T.pipe_barrier("v")
                    T.tile.add(c, b, b)
                    T.pipe_barrier("v")
                T.tile.add(d, a, a)  # @add
                T.set_flag("v", "mte3", 1)
                T.wait_flag("v", "mte3", 1)
                T.copy(d, y[vid * 64])

    return main
