# case: must-not-flag 16
# what: two loads fill the upper and the lower rows of one tile, with no barrier between them
# twin: overlapping_rows_of_one_tile.py
# chip: 950
# expect: clean
# values: both = np.concatenate([top[:8], bottom[8:]])

import tilelang
import tilelang.ascend.language as T

MANUAL = {tilelang.PassConfigKey.TL_ENABLE_AUTO_SCHEDULE: False}
ROWS = 16
WIDTH = 64


@tilelang.jit(target="ascend", pass_configs=MANUAL)
def stack(top, bottom):
    top: T.Tensor((ROWS, WIDTH), T.float32)
    bottom: T.Tensor((ROWS, WIDTH), T.float32)
    both = T.empty((ROWS, WIDTH), T.float32)

    with T.Kernel(1) as core:
        tile = T.alloc_shared((ROWS, WIDTH), T.float32)
        T.copy(top[0:8, :], tile[0:8, :])
        T.copy(bottom[8:16, :], tile[8:16, :])
        T.ascend_set_flag("MTE2_MTE3", 0)
        T.ascend_wait_flag("MTE2_MTE3", 0)
        T.copy(tile, both)
    return both
