# case: norms
# what: a row-wise softmax, padded with minus infinity, with a barrier between dependent instructions
# chip: 910b
# expect: clean
# expect auto_sync=off: clean
# values: y = np.exp(x - x.max(1, keepdims=True)) / np.exp(x - x.max(1, keepdims=True)).sum(1, keepdims=True) ~ 1e-4

import tilelang
import tilelang.language as T

ROWS, COLS, WIDTH = 8, 100, 112


@tilelang.jit(out_idx=[-1])
def softmax():
    @T.prim_func
    def main(x: T.Tensor((2 * ROWS, COLS), "float32"), y: T.Tensor((2 * ROWS, COLS), "float32")):
        with T.Kernel(1, is_npu=True) as (_, vid):
            a = T.alloc_ub((ROWS, WIDTH), "float32")
            wide = T.alloc_ub((ROWS, WIDTH), "float32")
            top = T.alloc_ub((ROWS, 1), "float32")
            total = T.alloc_ub((ROWS, 1), "float32")

            with T.Scope("V"):
                T.copy(x[vid * ROWS, 0], a, pad_value=-T.infinity("float32"))
                T.set_flag("mte2", "v", 1)
                T.wait_flag("mte2", "v", 1)
                T.reduce_max(a, top, dim=-1)
                T.pipe_barrier("v")
                T.tile.broadcast(wide, top)
                T.pipe_barrier("v")
                T.tile.sub(a, a, wide)
                T.pipe_barrier("v")
                T.tile.exp(a, a)
                T.pipe_barrier("v")
                T.reduce_sum(a, total, dim=-1)
                T.pipe_barrier("v")
                T.tile.broadcast(wide, total)
                T.pipe_barrier("v")
                T.tile.div(a, a, wide)
                T.set_flag("v", "mte3", 1)
                T.wait_flag("v", "mte3", 1)
                T.copy(a, y[vid * ROWS, 0])

    return main
