# case: must-not-flag 8
# what: every step drains all pipes: slow, and right
# chip: 950
# expect: clean
# values: y = 2 * x

import tilelang
import tilelang.ascend.language as T

MANUAL = {tilelang.PassConfigKey.TL_ENABLE_AUTO_SCHEDULE: False}
CORES = 2
TILES = 3
TILE = 512


@tilelang.jit(target="ascend", pass_configs=MANUAL)
def double(x):
    x: T.Tensor((CORES * TILES * TILE,), T.float32)
    y = T.empty((CORES * TILES * TILE,), T.float32)

    with T.Kernel(CORES) as core:
        tile = T.alloc_shared((TILE,), T.float32)
        for t in T.serial(TILES):
            T.copy(x[(core * TILES + t) * TILE], tile)
            T.ascend_pipe_barrier("PIPE_ALL")
            with T.SimtVF(threads=128):
                for i in T.Parallel(TILE):
                    tile[i] = tile[i] + tile[i]
            T.ascend_pipe_barrier("PIPE_ALL")
            T.copy(tile, y[(core * TILES + t) * TILE])
            T.ascend_pipe_barrier("PIPE_ALL")
    return y
