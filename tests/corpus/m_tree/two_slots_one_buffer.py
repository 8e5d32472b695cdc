# case: K10
# what: flags of two slots, but the rows of one buffer: slot 1 is loaded while slot 0 is stored
# twin: leading_stages_dimension.py
# chip: 950
# expect: race-war MTE3→MTE2 @store @load

import tilelang
import tilelang.ascend.language as T

MANUAL = {tilelang.PassConfigKey.TL_ENABLE_AUTO_SCHEDULE: False}
ROWS = 6
WIDTH = 256


@tilelang.jit(target="ascend", pass_configs=MANUAL)
def double_rows(x):
    x: T.Tensor((ROWS, WIDTH), T.float32)
    y = T.empty((ROWS, WIDTH), T.float32)

    with T.Kernel(1) as core:
        row = T.alloc_shared((1, WIDTH), T.float32)
        for s in T.serial(2):
            T.ascend_set_flag("MTE3_MTE2", s)
        for r in T.serial(ROWS):
            T.ascend_wait_flag("MTE3_MTE2", r % 2)
            T.copy(x[r, 0], row)  # @load
            T.ascend_set_flag("MTE2_V", 0)
            T.ascend_wait_flag("MTE2_V", 0)
            with T.SimtVF(threads=64):
                for i in T.Parallel(WIDTH):
                    row[0, i] = row[0, i] + row[0, i]
            T.ascend_set_flag("V_MTE3", 0)
            T.ascend_wait_flag("V_MTE3", 0)
            T.copy(row, y[r, 0])  # @store
            T.ascend_set_flag("MTE3_MTE2", r % 2)
        for s in T.serial(2):
            T.ascend_wait_flag("MTE3_MTE2", s)
    return y
