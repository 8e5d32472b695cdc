# case: K13
# what: the buffers are 128 wide and the copies 126: the add covers the gaps, which no store reads
# twin: k13_dense_add_on_padded_rows.py
# chip: 910b
# expect: clean
# values: y = 2 * x

import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1])
def double_rows():
    @T.prim_func
    def main(x: T.Tensor((16, 126), "float32"), y: T.Tensor((16, 126), "float32")):
        with T.Kernel(1, is_npu=True) as (_, vid):
            a = T.alloc_ub((8, 128), "float32")
            b = T.alloc_ub((8, 128), "float32")

            with T.Scope("V"):
                T.copy(x[vid * 8, 0], a)
                T.set_flag("mte2", "v", 1)
                T.wait_flag("mte2", "v", 1)
                T.tile.add(b, a, a)
                T.set_flag("v", "mte3", 1)
                T.wait_flag("v", "mte3", 1)
                T.copy(b, y[vid * 8, 0])

    return main
