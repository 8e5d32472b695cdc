# case: K12
# what: as many waits as loads
# twin: k12_four_loads_three_consumed.py
# chip: 950
# expect: clean
# values: y = 2 * x

import tilelang
import tilelang.ascend.language as T

MANUAL = {tilelang.PassConfigKey.TL_ENABLE_AUTO_SCHEDULE: False}
TILES = 4
USED = 4
TILE = 512


@tilelang.jit(target="ascend", pass_configs=MANUAL)
def double(x):
    x: T.Tensor((TILES * TILE,), T.float32)
    y = T.empty((USED * TILE,), T.float32)

    with T.Kernel(1) as core:
        tiles = T.alloc_shared((TILES, TILE), T.float32)
        for t in T.serial(TILES):
            T.copy(x[t * TILE : (t + 1) * TILE], tiles[t, :])
            T.ascend_set_flag("MTE2_V", t)
        for t in T.serial(USED):
            T.ascend_wait_flag("MTE2_V", t)
            with T.SimtVF(threads=128):
                for i in T.Parallel(TILE):
                    tiles[t, i] = tiles[t, i] + tiles[t, i]
            T.ascend_set_flag("V_MTE3", t)
            T.ascend_wait_flag("V_MTE3", t)
            T.copy(tiles[t, :], y[t * TILE : (t + 1) * TILE])
    return y
