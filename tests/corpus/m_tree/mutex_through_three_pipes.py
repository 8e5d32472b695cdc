# case: doc: mutex
# what: one mutex hands a tile from MTE2 to V to MTE3 and back to MTE2
# twin: mutex_unlocked_by_another_pipe.py
# chip: 950
# expect: clean
# values: y = 2 * x

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
            T.copy(x[t * TILE], tile)
            T.ascend_rls_buf("PIPE_MTE2", 0)
            T.ascend_get_buf("PIPE_V", 0)
            with T.SimtVF(threads=128):
                for i in T.Parallel(TILE):
                    tile[i] = tile[i] + tile[i]
            T.ascend_rls_buf("PIPE_V", 0)
            T.ascend_get_buf("PIPE_MTE3", 0)
            T.copy(tile, y[t * TILE])
            T.ascend_rls_buf("PIPE_MTE3", 0)
    return y
