# case: K13
# what: the same column tiles in UB rows of 512 bytes
# twin: k13_rows_not_padded.py
# chip: 950
# expect: clean
# values: y = x

import tilelang
import tilelang.ascend.language as T

MANUAL = {tilelang.PassConfigKey.TL_ENABLE_AUTO_SCHEDULE: False}
ROWS = 8
WIDTH = 128
COLUMNS = 200


@tilelang.jit(target="ascend", pass_configs=MANUAL)
def by_column_tiles(x):
    x: T.Tensor((ROWS, COLUMNS), T.float32)
    y = T.empty((ROWS, COLUMNS), T.float32)

    with T.Kernel(1) as core:
        tile = T.alloc_shared((ROWS, WIDTH), T.float32)
        T.ascend_set_flag("MTE3_MTE2", 0)
        for t in T.serial(T.ceildiv(COLUMNS, WIDTH)):
            T.ascend_wait_flag("MTE3_MTE2", 0)
            T.copy(x[0, t * WIDTH], tile)
            T.ascend_set_flag("MTE2_MTE3", 0)
            T.ascend_wait_flag("MTE2_MTE3", 0)
            T.copy(tile, y[0, t * WIDTH])
            T.ascend_set_flag("MTE3_MTE2", 0)
        T.ascend_wait_flag("MTE3_MTE2", 0)
    return y
