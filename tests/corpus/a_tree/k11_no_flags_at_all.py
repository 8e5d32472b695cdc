# case: K11
# what: load, compute, store without a single flag: both edges are missing
# twin: k11_flags_on_both_edges.py
# chip: 910b
# expect: race-raw MTE2→V @load @add; race-raw V→MTE3 @add @store
# expect auto_sync=off: race-raw MTE2→V @load @add; race-raw V→MTE3 @add @store

import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1])
def double():
    @T.prim_func
    def main(x: T.Tensor((2048,), "float32"), y: T.Tensor((2048,), "float32")):
        with T.Kernel(1, is_npu=True) as (_, vid):
            a = T.alloc_ub((1024,), "float32")
            b = T.alloc_ub((1024,), "float32")

            with T.Scope("V"):
                T.copy(x[vid * 1024], a)  # @load
                T.tile.add(b, a, a)  # @add
                T.copy(b, y[vid * 1024])  # @store

    return main
