# case: norms
# what: the barrier before the square root is missing
# twin: rms_norm_with_barriers.py
# chip: 910b
# expect: clean
# expect auto_sync=off: race-raw V→V @shift @root
# values: y = x / np.sqrt((x * x).mean(1, keepdims=True) + 1e-5) ~ 1e-4

import tilelang
import tilelang.language as T

ROWS, COLS = 8, 256


@tilelang.jit(out_idx=[-1])
def rms_norm():
    @T.prim_func
    def main(x: T.Tensor((4 * ROWS, COLS), "float32"), y: T.Tensor((4 * ROWS, COLS), "float32")):
        with T.Kernel(2, is_npu=True) as (cid, vid):
            a = T.alloc_ub((ROWS, COLS), "float32")
            square = T.alloc_ub((ROWS, COLS), "float32")
            s = T.alloc_ub((ROWS, 1), "float32")

            with T.Scope("V"):
                T.copy(x[(cid * 2 + vid) * ROWS, 0], a)
                T.set_flag("mte2", "v", 1)
                T.wait_flag("mte2", "v", 1)
                T.tile.mul(square, a, a)
                T.pipe_barrier("v")
                T.reduce_sum(square, s, dim=-1)
                T.pipe_barrier("v")
                T.tile.div(s, s, float(COLS))
                T.pipe_barrier("v")
                T.tile.add(s, s, 1e-5)  # @shift
                T.tile.sqrt(s, s)  # @root
                T.pipe_barrier("v")
                T.tile.broadcast(square, s)
                T.pipe_barrier("v")
                T.tile.div(a, a, square)
                T.set_flag("v", "mte3", 1)
                T.wait_flag("v", "mte3", 1)
                T.copy(a, y[(cid * 2 + vid) * ROWS, 0])

    return main
