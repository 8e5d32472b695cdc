# case: must-not-flag 2
# what: two threads and one index: the compiler halves every tile between the vector cores
# twin: k15_threads_and_two_indices.py
# chip: 910b
# expect: clean
# values: y = 2 * x

import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1])
def double():
    @T.prim_func
    def main(x: T.Tensor((32, 128), "float32"), y: T.Tensor((32, 128), "float32")):
        with T.Kernel(2, threads=2, is_npu=True) as cid:
            a = T.alloc_ub((16, 128), "float32")
            b = T.alloc_ub((16, 128), "float32")

            with T.Scope("V"):
                T.copy(x[cid * 16, 0], a)
                T.barrier_all()
                T.tile.add(b, a, a)
                T.barrier_all()
                T.copy(b, y[cid * 16, 0])

    return main
