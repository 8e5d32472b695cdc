# case: K13
# what: rows of 504 bytes start every 512 bytes, but an add counts elements without the gaps: the last 16 are missed
# twin: k13_add_on_whole_rows.py
# chip: 910b
# expect: uninitialised-read

import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1])
def double_rows():
    @T.prim_func
    def main(x: T.Tensor((16, 126), "float32"), y: T.Tensor((16, 126), "float32")):
        with T.Kernel(1, is_npu=True) as (_, vid):
            a = T.alloc_ub((8, 126), "float32")
            b = T.alloc_ub((8, 126), "float32")

            with T.Scope("V"):
                T.copy(x[vid * 8, 0], a)
                T.set_flag("mte2", "v", 1)
                T.wait_flag("mte2", "v", 1)
                T.tile.add(b, a, a)
                T.set_flag("v", "mte3", 1)
                T.wait_flag("v", "mte3", 1)
                T.copy(b, y[vid * 8, 0])

    return main
