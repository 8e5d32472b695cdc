# case: facts: messages of the front end
# what: a copy between two single elements has no extent
# chip: 910b
# expect: rejected Can't deduce copy extents from args

import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1])
def kernel():
    @T.prim_func
    def main(x: T.Tensor((128,), "float32"), y: T.Tensor((128,), "float32")):
        with T.Kernel(1, is_npu=True) as (_, vid):
            a = T.alloc_ub((64,), "float32")

            with T.Scope("V"):
                T.copy(x[vid * 64], a)
                T.barrier_all()
                T.copy(x[0], a[0])
                T.barrier_all()
                T.copy(a, y[vid * 64])

    return main
