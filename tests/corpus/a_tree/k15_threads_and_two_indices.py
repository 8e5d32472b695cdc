# case: K15
# what: with `threads` the kernel has one index, and there is nothing to unpack into two
# twin: k15_two_threads.py
# chip: 910b
# expect: rejected cannot unpack non-iterable Var object

import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1])
def copy():
    @T.prim_func
    def main(x: T.Tensor((128,), "float32"), y: T.Tensor((128,), "float32")):
        with T.Kernel(1, threads=2, is_npu=True) as (cid, vid):
            a = T.alloc_ub((64,), "float32")

            with T.Scope("V"):
                T.copy(x[cid * 128 + vid * 64], a)
                T.barrier_all()
                T.copy(a, y[cid * 128 + vid * 64])

    return main
