# case: doc: event ids
# what: twelve flags of one pair: the compiler turns those beyond eight into mutexes
# chip: 950
# expect: clean
# values: y = 2 * x

import tilelang
import tilelang.ascend.language as T

MANUAL = {tilelang.PassConfigKey.TL_ENABLE_AUTO_SCHEDULE: False}
TILES = 12
TILE = 256


@tilelang.jit(target="ascend", pass_configs=MANUAL)
def double(x):
    x: T.Tensor((TILES, TILE), T.float32)
    y = T.empty((TILES, TILE), T.float32)

    with T.Kernel(1) as core:
        tiles = T.alloc_shared((TILES, TILE), T.float32)
        for t in T.serial(TILES):
            T.copy(x[t : t + 1, :], tiles[t : t + 1, :])
            T.ascend_set_flag("MTE2_V", t)
        for t in T.serial(TILES):
            T.ascend_wait_flag("MTE2_V", t)
            with T.SimtVF(threads=64):
                for i in T.Parallel(TILE):
                    tiles[t, i] = tiles[t, i] + tiles[t, i]
        T.ascend_set_flag("V_MTE3", 0)
        T.ascend_wait_flag("V_MTE3", 0)
        T.copy(tiles, y)
    return y
