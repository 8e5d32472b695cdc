# case: K06
# what: V writes into an output slot that MTE3 may still be storing
# twin: leading_stages_dimension.py
# chip: 950
# expect: race-war MTE3→V @store @double

import tilelang
import tilelang.ascend.language as T

MANUAL = {tilelang.PassConfigKey.TL_ENABLE_AUTO_SCHEDULE: False}
STAGES = 2
TILES = 7
TILE = 1024


@tilelang.jit(target="ascend", pass_configs=MANUAL)
def double(x):
    x: T.Tensor((TILES, TILE), T.float32)
    y = T.empty((TILES, TILE), T.float32)

    with T.Kernel(1) as core:
        x_ub = T.alloc_shared((STAGES, 1, TILE), T.float32)
        y_ub = T.alloc_shared((STAGES, 1, TILE), T.float32)
        for s in T.serial(STAGES):
            T.ascend_set_flag("V_MTE2", s)
        for t in T.serial(TILES):
            T.ascend_wait_flag("V_MTE2", t % STAGES)
            T.copy(x[t : t + 1, :], x_ub[t % STAGES, :, :])
            T.ascend_set_flag("MTE2_V", t % STAGES)
            T.ascend_wait_flag("MTE2_V", t % STAGES)
            with T.SimtVF(threads=256):  # @double
                for i in T.Parallel(TILE):
                    y_ub[t % STAGES, 0, i] = x_ub[t % STAGES, 0, i] + x_ub[t % STAGES, 0, i]
            T.ascend_set_flag("V_MTE2", t % STAGES)
            T.ascend_set_flag("V_MTE3", t % STAGES)
            T.ascend_wait_flag("V_MTE3", t % STAGES)
            T.copy(y_ub[t % STAGES, :, :], y[t : t + 1, :])  # @store
        for s in T.serial(STAGES):
            T.ascend_wait_flag("V_MTE2", s)
    return y
