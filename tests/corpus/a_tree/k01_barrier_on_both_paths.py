# case: K01
# what: the barrier stands behind the branch, so every block passes it before it reads
# twin: k01_barrier_in_one_branch.py
# chip: 910b
# expect: clean
# expect auto_sync=off: clean
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
                T.tile.fill(a, 3.0)
                if cid > 0:
                    T.tile.fill(b, 1.0)
                T.pipe_barrier("v")
                if cid > 0:
                    T.tile.add(c, b, b)
                T.tile.add(d, a, a)
                T.set_flag("v", "mte3", 1)
                T.wait_flag("v", "mte3", 1)
                T.copy(d, y[(cid * 2 + vid) * 64])

    return main
