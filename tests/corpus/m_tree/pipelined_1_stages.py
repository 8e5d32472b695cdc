# case: K16
# what: one pipeline with num_stages=1; the compiler decides how many copies of the tile it keeps
# chip: 950
# expect: clean
# values: z = (x + y) / 2

import tilelang
import tilelang.ascend.language as T

STEPS = 5
TILE = 512


@tilelang.jit(target="ascend")
def half_sum(x, y):
    x: T.Tensor((2 * STEPS * TILE,), T.float16)
    y: T.Tensor((2 * STEPS * TILE,), T.float16)
    z = T.empty((2 * STEPS * TILE,), T.float16)

    with T.Kernel(2) as core:
        x_ub = T.alloc_shared((TILE,), T.float16)
        y_ub = T.alloc_shared((TILE,), T.float16)
        z_ub = T.alloc_shared((TILE,), T.float16)
        for t in T.Pipelined(STEPS, num_stages=1):
            at = (core * STEPS + t) * TILE
            T.copy(x[at], x_ub)
            T.copy(y[at], y_ub)
            with T.SimtVF(threads=64):
                for i in T.Parallel(TILE):
                    total = T.cast(x_ub[i], T.float32) + T.cast(y_ub[i], T.float32)
                    z_ub[i] = T.cast(total * T.float32(0.5), T.float16)
            T.copy(z_ub, z[at])
    return z
