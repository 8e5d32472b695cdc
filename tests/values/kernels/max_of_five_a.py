# chip: 910b

import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1])
def max_of_five_a():
    @T.prim_func
    def main(x: T.Tensor((1, 5), "float32"), y: T.Tensor((1,), "float32")):
        with T.Kernel(1, is_npu=True) as (cid, vid):
            row = T.alloc_ub((1, 8), "float32")
            largest = T.alloc_ub((1,), "float32")

            with T.Scope("V"):
                if vid == 0:
                    T.copy(x[0, 0], row, pad_value=-T.infinity("float32"))
                    T.set_flag("mte2", "v", 1)
                    T.wait_flag("mte2", "v", 1)
                    T.reduce_max(row, largest, dim=-1)
                    T.set_flag("v", "mte3", 1)
                    T.wait_flag("v", "mte3", 1)
                    T.copy(largest, y[0])

    return main
