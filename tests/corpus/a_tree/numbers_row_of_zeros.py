# case: numbers: norm
# what: a row of zeros is divided by the root of a tiny epsilon and stays zero
# chip: 910b
# expect: clean
# values: y = 0 * x

import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1])
def normalised_zeros():
    @T.prim_func
    def main(x: T.Tensor((2, 64), "float32"), y: T.Tensor((2, 64), "float32")):
        with T.Kernel(1, is_npu=True) as (_, vid):
            a = T.alloc_ub((1, 64), "float32")
            square = T.alloc_ub((1, 64), "float32")
            s = T.alloc_ub((1, 1), "float32")

            with T.Scope("V"):
                T.copy(x[vid, 0], a)
                T.set_flag("mte2", "v", 1)
                T.wait_flag("mte2", "v", 1)
                T.tile.mul(a, a, 0.0)
                T.tile.mul(square, a, a)
                T.reduce_sum(square, s, dim=-1)
                T.tile.div(s, s, 64.0)
                T.tile.add(s, s, 1e-12)
                T.tile.sqrt(s, s)
                T.tile.broadcast(square, s)
                T.tile.div(a, a, square)
                T.set_flag("v", "mte3", 1)
                T.wait_flag("v", "mte3", 1)
                T.copy(a, y[vid, 0])

    return main
