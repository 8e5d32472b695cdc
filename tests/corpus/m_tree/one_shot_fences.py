# case: must-not-flag 19
# what: every flag is waited for right behind its set: nothing overlaps, and nothing is wrong
# chip: 950
# expect: clean
# values: y = 2 * x

import tilelang
import tilelang.ascend.language as T

MANUAL = {tilelang.PassConfigKey.TL_ENABLE_AUTO_SCHEDULE: False}
TILES = 4
TILE = 512


@tilelang.jit(target="ascend", pass_configs=MANUAL)
def double(x):
    x: T.Tensor((TILES * TILE,), T.float32)
    y = T.empty((TILES * TILE,), T.float32)

    with T.Kernel(1) as core:
        tile = T.alloc_shared((TILE,), T.float32)
        for t in T.serial(TILES):
            T.copy(x[t * TILE], tile)
            T.ascend_set_flag("MTE2_V", 0)
            T.ascend_wait_flag("MTE2_V", 0)
            with T.SimtVF(threads=128):
                for i in T.Parallel(TILE):
                    tile[i] = tile[i] + tile[i]
            T.ascend_set_flag("V_MTE3", 0)
            T.ascend_wait_flag("V_MTE3", 0)
            T.copy(tile, y[t * TILE])
            T.ascend_set_flag("MTE3_MTE2", 0)
            T.ascend_wait_flag("MTE3_MTE2", 0)
    return y
