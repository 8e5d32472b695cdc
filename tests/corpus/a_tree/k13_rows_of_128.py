# case: K13
# what: rows of 512 bytes go through UB and back; both copies count the row in bytes and pad it in UB
# chip: 910b
# arg: w=128
# expect: clean
# values: y = x

import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1])
def copy_rows(w):
    @T.prim_func
    def main(x: T.Tensor((16, w), "float32"), y: T.Tensor((16, w), "float32")):
        with T.Kernel(1, is_npu=True) as (_, vid):
            a = T.alloc_ub((8, w), "float32")

            with T.Scope("V"):
                T.copy(x[vid * 8, 0], a)
                T.set_flag("mte2", "mte3", 1)
                T.wait_flag("mte2", "mte3", 1)
                T.copy(a, y[vid * 8, 0])

    return main
