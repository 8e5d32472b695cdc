# case: K13
# what: rows of 32 bytes go out of UB rows that begin at multiples of 32 bytes
# chip: 950
# expect: clean
# values: y = x[:, 8 : 8 + 8]

import tilelang
import tilelang.ascend.language as T

MANUAL = {tilelang.PassConfigKey.TL_ENABLE_AUTO_SCHEDULE: False}
ROWS = 8
WIDTH = 8
PITCH = 192
PADDED = 8


@tilelang.jit(target="ascend", pass_configs=MANUAL)
def inner_columns(x):
    x: T.Tensor((ROWS, PITCH), T.float32)
    y = T.empty((ROWS, WIDTH), T.float32)

    with T.Kernel(1) as core:
        tile = T.alloc_shared((ROWS, PADDED), T.float32)
        T.copy(x[0:ROWS, 8 : 8 + WIDTH], tile[:, 0:WIDTH])
        T.ascend_set_flag("MTE2_MTE3", 0)
        T.ascend_wait_flag("MTE2_MTE3", 0)
        T.copy(tile[:, 0:WIDTH], y)
    return y
