# case: K03
# what: the load is ordered before both of its readers, each on a pipe of its own
# twin: k03_second_reader_not_ordered.py
# chip: 910b
# expect: clean
# values: y = x
# values: z = 2 * x

import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[1, 2])
def copy_and_double():
    @T.prim_func
    def main(
        x: T.Tensor((128,), "float32"),
        y: T.Tensor((128,), "float32"),
        z: T.Tensor((128,), "float32"),
    ):
        with T.Kernel(1, is_npu=True) as (_, vid):
            a = T.alloc_ub((64,), "float32")
            b = T.alloc_ub((64,), "float32")

            with T.Scope("V"):
                T.copy(x[vid * 64], a)
                T.set_flag("mte2", "mte3", 1)
                T.wait_flag("mte2", "mte3", 1)
                T.copy(a, y[vid * 64])
                T.set_flag("mte2", "v", 1)
                T.wait_flag("mte2", "v", 1)
                T.tile.add(b, a, a)
                T.set_flag("v", "mte3", 1)
                T.wait_flag("v", "mte3", 1)
                T.copy(b, z[vid * 64])

    return main
