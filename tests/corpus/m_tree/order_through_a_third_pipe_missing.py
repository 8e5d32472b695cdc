# case: K10
# what: without the way back from MTE3 the next load overwrites what V reads, and V what MTE3 stores
# twin: order_through_a_third_pipe.py
# chip: 950
# expect: race-war V→MTE2 @double @load; race-war MTE3→V @store @double

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
        x_ub = T.alloc_shared((TILE,), T.float32)
        y_ub = T.alloc_shared((TILE,), T.float32)
        for t in T.serial(TILES):
            T.copy(x[t * TILE], x_ub)  # @load
            T.ascend_set_flag("MTE2_V", 0)
            T.ascend_wait_flag("MTE2_V", 0)
            with T.SimtVF(threads=128):  # @double
                for i in T.Parallel(TILE):
                    y_ub[i] = x_ub[i] + x_ub[i]
            T.ascend_set_flag("V_MTE3", 0)
            T.ascend_wait_flag("V_MTE3", 0)
            T.copy(y_ub, y[t * TILE])  # @store
    return y
