# case: K15
# what: a kernel has one or two vector cores; 128 threads are the habit of another back end
# chip: 910b
# expect: rejected NPU kernel threads must be 1 or 2, but got 128

import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1])
def copy():
    @T.prim_func
    def main(x: T.Tensor((128,), "float32"), y: T.Tensor((128,), "float32")):
        with T.Kernel(1, threads=128, is_npu=True) as cid:
            a = T.alloc_ub((128,), "float32")

            with T.Scope("V"):
                T.copy(x[cid * 128], a)
                T.barrier_all()
                T.copy(a, y[cid * 128])

    return main
