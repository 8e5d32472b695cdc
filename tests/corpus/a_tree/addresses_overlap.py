# case: annotate_address
# what: the second buffer starts in the middle of the first: one load lands on the other
# twin: addresses_apart.py
# chip: 910b
# expect: race-waw MTE2→MTE2 @load_x @load_y

import tilelang
import tilelang.language as T

N = 256


@tilelang.jit(out_idx=[-1])
def add():
    @T.prim_func
    def main(
        x: T.Tensor((2, N), "float32"),
        y: T.Tensor((2, N), "float32"),
        z: T.Tensor((2, N), "float32"),
    ):
        with T.Kernel(1, is_npu=True) as (_, vid):
            a = T.alloc_ub((N,), "float32")
            b = T.alloc_ub((N,), "float32")
            c = T.alloc_ub((N,), "float32")
            T.annotate_address({a: 0, b: 512, c: 2048})

            with T.Scope("V"):
                T.copy(x[vid, 0], a)  # @load_x
                T.copy(y[vid, 0], b)  # @load_y
                T.set_flag("mte2", "v", 1)
                T.wait_flag("mte2", "v", 1)
                T.tile.add(c, a, b)
                T.set_flag("v", "mte3", 1)
                T.wait_flag("v", "mte3", 1)
                T.copy(c, z[vid, 0])

    return main
