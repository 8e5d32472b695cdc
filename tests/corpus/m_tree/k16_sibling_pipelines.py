# case: K16
# what: two pipelines after each other use one tile with different numbers of stages
# chip: 950
# expect: clean
# values: doubled = 2 * x
# values: squared = w * w

import tilelang
import tilelang.ascend.language as T

STEPS = 4
TILE = 512


@tilelang.jit(target="ascend")
def two_passes(x, w):
    x: T.Tensor((STEPS * TILE,), T.float32)
    w: T.Tensor((STEPS * TILE,), T.float32)
    doubled = T.empty((STEPS * TILE,), T.float32)
    squared = T.empty((STEPS * TILE,), T.float32)

    with T.Kernel(1) as core:
        tile = T.alloc_shared((TILE,), T.float32)
        result = T.alloc_shared((TILE,), T.float32)
        for k in T.Pipelined(STEPS, num_stages=2):
            T.copy(x[k * TILE], tile)
            with T.SimtVF(threads=128):
                for i in T.Parallel(TILE):
                    result[i] = tile[i] + tile[i]
            T.copy(result, doubled[k * TILE])
        for k in T.Pipelined(STEPS, num_stages=3):
            T.copy(w[k * TILE], tile)
            with T.SimtVF(threads=128):
                for i in T.Parallel(TILE):
                    result[i] = tile[i] * tile[i]
            T.copy(result, squared[k * TILE])
    return doubled, squared
