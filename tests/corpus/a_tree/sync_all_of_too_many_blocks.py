# case: between blocks
# what: forty blocks meet on a chip that runs 24 at a time: the others start when one ends
# twin: neighbour_after_sync_all.py
# chip: 910b
# expect: wait-without-set other cores→AIC S @cube; wait-without-set other cores→AIV S @vector

import tilelang
import tilelang.language as T

BLOCKS = 40


@tilelang.jit(out_idx=[2], workspace_idx=[1])
def add_neighbour():
    @T.prim_func
    def main(
        x: T.Tensor((BLOCKS * 2, 64), "float32"),
        w: T.Tensor((BLOCKS * 2, 64), "float32"),
        y: T.Tensor((BLOCKS * 2, 64), "float32"),
    ):
        with T.Kernel(BLOCKS, is_npu=True) as (cid, vid):
            a = T.alloc_ub((1, 64), "float32")
            b = T.alloc_ub((1, 64), "float32")
            c = T.alloc_ub((1, 64), "float32")

            with T.Scope("C"):
                T.sync_all()  # @cube

            with T.Scope("V"):
                T.copy(x[cid * 2 + vid, 0], a)
                T.set_flag("mte2", "v", 1)
                T.wait_flag("mte2", "v", 1)
                T.tile.exp(b, a)
                T.set_flag("v", "mte3", 1)
                T.wait_flag("v", "mte3", 1)
                T.copy(b, w[cid * 2 + vid, 0])
                T.sync_all()  # @vector
                T.copy(w[(cid + 1) % BLOCKS * 2 + vid, 0], c)
                T.set_flag("mte2", "v", 1)
                T.wait_flag("mte2", "v", 1)
                T.tile.add(c, c, b)
                T.set_flag("v", "mte3", 1)
                T.wait_flag("v", "mte3", 1)
                T.copy(c, y[cid * 2 + vid, 0])

    return main
