# case: doc: mutex
# what: the store takes the mutex in every round and never gives it back
# twin: mutex_through_three_pipes.py
# chip: 950
# expect: race-war MTE3→MTE2 @store @load

import tilelang
import tilelang.ascend.language as T

MANUAL = {tilelang.PassConfigKey.TL_ENABLE_AUTO_SCHEDULE: False}
TILES = 5
TILE = 512


@tilelang.jit(target="ascend", pass_configs=MANUAL)
def double(x):
    x: T.Tensor((TILES * TILE,), T.float32)
    y = T.empty((TILES * TILE,), T.float32)

    with T.Kernel(1) as core:
        tile = T.alloc_shared((TILE,), T.float32)
        for t in T.serial(TILES):
            T.ascend_get_buf("PIPE_MTE2", 0)
            T.copy(x[t * TILE], tile)  # @load
            T.ascend_rls_buf("PIPE_MTE2", 0)
            T.ascend_get_buf("PIPE_V", 0)
            with T.SimtVF(threads=128):
                for i in T.Parallel(TILE):
                    tile[i] = tile[i] + tile[i]
            T.ascend_rls_buf("PIPE_V", 0)
            T.ascend_get_buf("PIPE_MTE3", 0)
            T.copy(tile, y[t * TILE])  # @store
    return y
