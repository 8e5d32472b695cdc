# case: must-not-flag 5
# what: one T.Parallel statement becomes two dependent vector instructions without a barrier
# chip: 910b
# expect: clean
# expect auto_sync=off: race-raw V→V @affine @affine
# values: y = 2 * x + 1 ~ 1e-5

import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1])
def affine():
    @T.prim_func
    def main(x: T.Tensor((8, 128), "float32"), y: T.Tensor((8, 128), "float32")):
        with T.Kernel(1, is_npu=True) as (_, vid):
            a = T.alloc_ub((4, 128), "float32")
            b = T.alloc_ub((4, 128), "float32")

            with T.Scope("V"):
                T.copy(x[vid * 4, 0], a)
                T.set_flag("mte2", "v", 1)
                T.wait_flag("mte2", "v", 1)
                for i, j in T.Parallel(4, 128):
                    b[i, j] = a[i, j] * 2.0 + 1.0  # @affine
                T.set_flag("v", "mte3", 1)
                T.wait_flag("v", "mte3", 1)
                T.copy(b, y[vid * 4, 0])

    return main
