# case: capacity
# what: a tile of 256 KB: UB has so much, but only 248 KB of it belong to the kernel
# chip: 950
# expect: overflow

import tilelang
import tilelang.ascend.language as T

MANUAL = {tilelang.PassConfigKey.TL_ENABLE_AUTO_SCHEDULE: False}
TILE = 65536


@tilelang.jit(target="ascend", pass_configs=MANUAL)
def duplicate(x):
    x: T.Tensor((TILE,), T.float32)
    y = T.empty((TILE,), T.float32)

    with T.Kernel(1) as core:
        tile = T.alloc_shared((TILE,), T.float32)
        T.copy(x, tile)
        T.ascend_set_flag("MTE2_MTE3", 0)
        T.ascend_wait_flag("MTE2_MTE3", 0)
        T.copy(tile, y)
    return y
