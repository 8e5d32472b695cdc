# case: K01
# what: the only barrier stands in a branch; blocks that do not take it read what fill may still write
# twin: k01_barrier_on_both_paths.py
# chip: 910b
# expect: clean
# expect auto_sync=off: race-raw V→V @fill @add
# values: y = np.full(256, 6.0)

import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1])
def doubled_fill():
    @T.prim_func
    def main(y: T.Tensor((256,), "float32")):
        with T.Kernel(2, is_npu=True) as (cid, vid):
            a = T.alloc_ub((64,), "float32")
            b = T.alloc_ub((64,), "float32")
            c = T.alloc_ub((64,), "float32")
            d = T.alloc_ub((64,), "float32")

            with T.Scope("V"):
                T.tile.fill(a, 3.0)  # @fill
                if cid > 0:
                    T.tile.fill(b, 1.0)
                    T.pipe_barrier("v")
                    T.tile.add(c, b, b)
                T.tile.add(d, a, a)  # @add
                T.set_flag("v", "mte3", 1)
                T.wait_flag("v", "mte3", 1)
                T.copy(d, y[(cid * 2 + vid) * 64])

    return main
