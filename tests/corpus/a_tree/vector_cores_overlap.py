# case: issue: outputs covered once
# what: the second vector core starts eight elements too early
# twin: blocks_write_their_own_tile.py
# chip: 910b
# expect: output-written-twice AIV MTE3→AIV MTE3 @store

import tilelang
import tilelang.language as T

N, TILE = 256, 128


@tilelang.jit(out_idx=[-1])
def double():
    @T.prim_func
    def main(x: T.Tensor((N,), "float32"), y: T.Tensor((N,), "float32")):
        with T.Kernel(1, is_npu=True) as (_, vid):
            a = T.alloc_ub((TILE,), "float32")
            b = T.alloc_ub((TILE,), "float32")

            with T.Scope("V"):
                T.copy(x[vid * (TILE - 8)], a)
                T.set_flag("mte2", "v", 1)
                T.wait_flag("mte2", "v", 1)
                T.tile.add(b, a, a)
                T.set_flag("v", "mte3", 1)
                T.wait_flag("v", "mte3", 1)
                T.copy(b, y[vid * (TILE - 8)])  # @store

    return main
