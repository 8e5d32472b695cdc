# case: between blocks
# what: four blocks add to the same rows atomically, after one of them has cleared these
# chip: 910b
# expect: clean
# values: y = x.reshape(4, 2, 64).sum(0) ~ 1e-4

import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1])
def column_sums():
    @T.prim_func
    def main(x: T.Tensor((8, 64), "float32"), y: T.Tensor((2, 64), "float32")):
        with T.Kernel(4, is_npu=True) as (cid, vid):
            a = T.alloc_ub((1, 64), "float32")
            z = T.alloc_ub((1, 64), "float32")

            with T.Scope("C"):
                T.sync_all()

            with T.Scope("V"):
                if cid == 0:
                    T.tile.fill(z, 0.0)
                    T.set_flag("v", "mte3", 1)
                    T.wait_flag("v", "mte3", 1)
                    T.copy(z, y[vid, 0])
                T.sync_all()
                T.copy(x[cid * 2 + vid, 0], a)
                T.set_flag("mte2", "mte3", 1)
                T.wait_flag("mte2", "mte3", 1)
                T.tile.atomic_add(y[vid, 0], a)

    return main
