# case: K09
# what: a reduction that keeps the old result merges it element by element on the scalar unit
# chip: 910b
# expect: clean
# expect auto_sync=off: race-war S→V @merge; race-raw V→S @merge; race-raw S→V @merge @scale
# values: y = 2 * np.maximum(x.max(1), 0.0)

import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1])
def doubled_maximum():
    @T.prim_func
    def main(x: T.Tensor((16, 64), "float32"), y: T.Tensor((16,), "float32")):
        with T.Kernel(1, is_npu=True) as (_, vid):
            a = T.alloc_ub((8, 64), "float32")
            m = T.alloc_ub((8,), "float32")
            z = T.alloc_ub((8,), "float32")

            with T.Scope("V"):
                T.copy(x[vid * 8, 0], a)
                T.tile.fill(m, 0.0)
                T.barrier_all()
                T.reduce_max(a, m, dim=-1, clear=False)  # @merge
                T.tile.add(z, m, m)  # @scale
                T.set_flag("v", "mte3", 1)
                T.wait_flag("v", "mte3", 1)
                T.copy(z, y[vid * 8])

    return main
