# case: must-not-flag 5
# what: the same without the pair: V instructions follow each other anyway
# twin: k05_vector_pair.py
# chip: 950
# expect: clean
# values: y = 2 * x

import tilelang
import tilelang.ascend.language as T

MANUAL = {tilelang.PassConfigKey.TL_ENABLE_AUTO_SCHEDULE: False}
TILE = 512


@tilelang.jit(target="ascend", pass_configs=MANUAL)
def double(x):
    x: T.Tensor((TILE,), T.float32)
    y = T.empty((TILE,), T.float32)

    with T.Kernel(1) as core:
        x_ub = T.alloc_shared((TILE,), T.float32)
        y_ub = T.alloc_shared((TILE,), T.float32)
        T.copy(x, x_ub)
        T.ascend_set_flag("MTE2_V", 0)
        T.ascend_wait_flag("MTE2_V", 0)
        with T.SimtVF(threads=128):
            for i in T.Parallel(TILE):
                y_ub[i] = x_ub[i] + x_ub[i]
        T.ascend_set_flag("V_MTE3", 0)
        T.ascend_wait_flag("V_MTE3", 0)
        T.copy(y_ub, y)
    return y
