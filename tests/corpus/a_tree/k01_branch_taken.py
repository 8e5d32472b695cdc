# case: K01
# what: the same kernel with a size that runs the branch: its barrier covers the later read as well
# twin: k01_branch_not_taken.py
# chip: 910b
# arg: n=1
# expect: clean
# expect auto_sync=off: clean
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
                T.tile.fill(a, 3.0)
                for _ in T.serial(n):
                    T.tile.fill(b, 1.0)
                    T.pipe_barrier("v")
                    T.tile.add(c, b, b)
                    T.pipe_barrier("v")
                T.tile.add(d, a, a)
                T.set_flag("v", "mte3", 1)
                T.wait_flag("v", "mte3", 1)
                T.copy(d, y[vid * 64])

    return main
