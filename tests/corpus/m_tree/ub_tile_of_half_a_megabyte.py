# case: capacity
# what: without the scheduler nobody checks how large a tile may be
# chip: 950
# expect: out-of-bounds UB @load

import tilelang
import tilelang.ascend.language as T

MANUAL = {tilelang.PassConfigKey.TL_ENABLE_AUTO_SCHEDULE: False}
TILE = 131072


@tilelang.jit(target="ascend", pass_configs=MANUAL)
def duplicate(x):
    x: T.Tensor((TILE,), T.float32)
    y = T.empty((TILE,), T.float32)

    with T.Kernel(1) as core:
        tile = T.alloc_shared((TILE,), T.float32)
        T.copy(x, tile)  # @load
        T.ascend_set_flag("MTE2_MTE3", 0)
        T.ascend_wait_flag("MTE2_MTE3", 0)
        T.copy(tile, y)  # @store
    return y
