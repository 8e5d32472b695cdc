# case: K01
# what: every core waits for its load; core 0 goes through a branch of its own, but both paths hold the wait
# twin: k01_wait_on_one_path_only.py
# chip: 950
# expect: clean
# values: y = 2 * x

import tilelang
import tilelang.ascend.language as T

MANUAL = {tilelang.PassConfigKey.TL_ENABLE_AUTO_SCHEDULE: False}
CORES = 4
TILE = 1024


@tilelang.jit(target="ascend", pass_configs=MANUAL)
def double(x):
    x: T.Tensor((CORES * TILE,), T.float32)
    y = T.empty((CORES * TILE,), T.float32)

    with T.Kernel(CORES) as core:
        x_ub = T.alloc_shared((TILE,), T.float32)
        T.copy(x[core * TILE], x_ub)
        if core == 0:
            T.ascend_set_flag("MTE2_V", 0)
            T.ascend_wait_flag("MTE2_V", 0)
        else:
            T.ascend_set_flag("MTE2_V", 1)
            T.ascend_wait_flag("MTE2_V", 1)
        with T.SimtVF(threads=256):
            for i in T.Parallel(TILE):
                x_ub[i] = x_ub[i] + x_ub[i]
        T.ascend_set_flag("V_MTE3", 0)
        T.ascend_wait_flag("V_MTE3", 0)
        T.copy(x_ub, y[core * TILE])
    return y
