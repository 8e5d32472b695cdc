# case: capacity
# what: 224 KB of tiles would fit, but SIMT threads take 32 KB of UB for their data cache
# chip: 950
# expect: overflow

import tilelang
import tilelang.ascend.language as T

MANUAL = {tilelang.PassConfigKey.TL_ENABLE_AUTO_SCHEDULE: False}
TILE = 24576


@tilelang.jit(target="ascend", pass_configs=MANUAL)
def double(x):
    x: T.Tensor((TILE,), T.float32)
    y = T.empty((TILE,), T.float32)

    with T.Kernel(1) as core:
        x_ub = T.alloc_shared((TILE,), T.float32)
        y_ub = T.alloc_shared((TILE,), T.float32)
        rest = T.alloc_shared((8192,), T.float32)
        T.copy(x, x_ub)
        T.copy(x[0:8192], rest)
        T.ascend_set_flag("MTE2_V", 0)
        T.ascend_wait_flag("MTE2_V", 0)
        with T.SimtVF(threads=256):
            for i in T.Parallel(TILE):
                y_ub[i] = x_ub[i] + x_ub[i]
            for i in T.Parallel(8192):
                y_ub[i] = y_ub[i] + rest[i]
        T.ascend_set_flag("V_MTE3", 0)
        T.ascend_wait_flag("V_MTE3", 0)
        T.copy(y_ub, y)
    return y
