# case: K16
# what: four copies of the input tile are forced, whatever the number of stages says
# chip: 950
# expect: clean
# values: y = 3 * x

import tilelang
import tilelang.ascend.language as T

TILES = 9
TILE = 1024


@tilelang.jit(target="ascend")
def triple(x):
    x: T.Tensor((TILES * TILE,), T.float32)
    y = T.empty((TILES * TILE,), T.float32)

    with T.Kernel(1) as core:
        x_ub = T.alloc_shared((TILE,), T.float32)
        y_ub = T.alloc_shared((TILE,), T.float32)
        T.annotate_buffer_versions({x_ub: 4, y_ub: 2})
        for t in T.Pipelined(TILES, num_stages=2):
            T.copy(x[t * TILE], x_ub)
            with T.SimtVF(threads=256):
                for i in T.Parallel(TILE):
                    y_ub[i] = x_ub[i] * T.float32(3)
            T.copy(y_ub, y[t * TILE])
    return y
