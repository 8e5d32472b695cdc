# case: doc: PipeBarrier
# what: a barrier inside MTE2 after the load keeps V from nothing
# twin: barriers_everywhere.py
# chip: 950
# expect: race-raw MTE2→V @load @double

import tilelang
import tilelang.ascend.language as T

MANUAL = {tilelang.PassConfigKey.TL_ENABLE_AUTO_SCHEDULE: False}
CORES = 2
TILES = 1
TILE = 512


@tilelang.jit(target="ascend", pass_configs=MANUAL)
def double(x):
    x: T.Tensor((CORES * TILES * TILE,), T.float32)
    y = T.empty((CORES * TILES * TILE,), T.float32)

    with T.Kernel(CORES) as core:
        tile = T.alloc_shared((TILE,), T.float32)
        for t in T.serial(TILES):
            T.copy(x[(core * TILES + t) * TILE], tile)  # @load
            T.ascend_pipe_barrier("PIPE_MTE2")
            with T.SimtVF(threads=128):  # @double
                for i in T.Parallel(TILE):
                    tile[i] = tile[i] + tile[i]
            T.ascend_pipe_barrier("PIPE_ALL")
            T.copy(tile, y[(core * TILES + t) * TILE])
            T.ascend_pipe_barrier("PIPE_ALL")
    return y
