# case: norms
# what: a fence behind the load of the weights as well
# twin: weights_loaded_after_the_flag.py
# chip: 910b
# expect: clean
# values: y = x * g

import tilelang
import tilelang.language as T

ROWS, COLS = 4, 128


@tilelang.jit(out_idx=[-1])
def scaled_rows():
    @T.prim_func
    def main(
        x: T.Tensor((2 * ROWS, COLS), "float32"),
        g: T.Tensor((COLS,), "float32"),
        y: T.Tensor((2 * ROWS, COLS), "float32"),
    ):
        with T.Kernel(1, is_npu=True) as (_, vid):
            a = T.alloc_ub((ROWS, COLS), "float32")
            w = T.alloc_ub((COLS,), "float32")

            with T.Scope("V"):
                T.copy(x[vid * ROWS, 0], a)
                T.set_flag("mte2", "v", 1)
                T.wait_flag("mte2", "v", 1)
                T.copy(g[0], w)
                T.set_flag("mte2", "v", 1)
                T.wait_flag("mte2", "v", 1)
                for r in T.serial(ROWS):
                    T.tile.mul(a[r, :], a[r, :], w)
                T.set_flag("v", "mte3", 1)
                T.wait_flag("v", "mte3", 1)
                T.copy(a, y[vid * ROWS, 0])

    return main
