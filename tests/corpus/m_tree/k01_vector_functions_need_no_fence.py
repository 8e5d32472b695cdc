# case: K01
# what: three vector functions in a row on one tile, a PIPE_V barrier in one branch only: the 950 keeps V in order
# chip: 950
# expect: clean
# values: y = 4 * x + 2

import tilelang
import tilelang.ascend.language as T

MANUAL = {tilelang.PassConfigKey.TL_ENABLE_AUTO_SCHEDULE: False}
CORES = 2
TILE = 512


@tilelang.jit(target="ascend", pass_configs=MANUAL)
def affine(x):
    x: T.Tensor((CORES * TILE,), T.float32)
    y = T.empty((CORES * TILE,), T.float32)

    with T.Kernel(CORES) as core:
        a = T.alloc_shared((TILE,), T.float32)
        b = T.alloc_shared((TILE,), T.float32)
        T.copy(x[core * TILE], a)
        T.ascend_set_flag("MTE2_V", 0)
        T.ascend_wait_flag("MTE2_V", 0)
        with T.SimtVF(threads=128):
            for i in T.Parallel(TILE):
                b[i] = a[i] + a[i]
        if core == 1:
            T.ascend_pipe_barrier("PIPE_V")
        with T.SimtVF(threads=128):
            for i in T.Parallel(TILE):
                a[i] = b[i] + T.float32(1)
        with T.SimtVF(threads=128):
            for i in T.Parallel(TILE):
                b[i] = a[i] + a[i]
        T.ascend_set_flag("V_MTE3", 0)
        T.ascend_wait_flag("V_MTE3", 0)
        T.copy(b, y[core * TILE])
    return y
