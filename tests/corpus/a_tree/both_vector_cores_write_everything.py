# case: issue: outputs covered once
# what: the index of the vector core is left out: both compute and store the same tile
# twin: blocks_write_their_own_tile.py
# chip: 910b
# expect: output-written-twice AIV MTE3→AIV MTE3 @store

import tilelang
import tilelang.language as T

N, TILE = 512, 128


@tilelang.jit(out_idx=[-1])
def double():
    @T.prim_func
    def main(x: T.Tensor((N,), "float32"), y: T.Tensor((N,), "float32")):
        with T.Kernel(4, is_npu=True) as (cid, _):
            a = T.alloc_ub((TILE,), "float32")
            b = T.alloc_ub((TILE,), "float32")

            with T.Scope("V"):
                T.copy(x[cid * TILE], a)
                T.set_flag("mte2", "v", 1)
                T.wait_flag("mte2", "v", 1)
                T.tile.add(b, a, a)
                T.set_flag("v", "mte3", 1)
                T.wait_flag("v", "mte3", 1)
                T.copy(b, y[cid * TILE])  # @store

    return main
