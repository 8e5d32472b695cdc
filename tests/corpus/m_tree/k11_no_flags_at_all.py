# case: K11
# what: load, add, store with nothing between them
# twin: k11_flags_on_both_edges.py
# chip: 950
# expect: race-raw MTE2→V @load @double; race-raw V→MTE3 @double @store

import tilelang
import tilelang.ascend.language as T

MANUAL = {tilelang.PassConfigKey.TL_ENABLE_AUTO_SCHEDULE: False}
ROWS = 1
WIDTH = 256


@tilelang.jit(target="ascend", pass_configs=MANUAL)
def double_rows(x):
    x: T.Tensor((ROWS, WIDTH), T.float32)
    y = T.empty((ROWS, WIDTH), T.float32)

    with T.Kernel(1) as core:
        row = T.alloc_shared((1, WIDTH), T.float32)
        for r in T.serial(ROWS):
            T.copy(x[r, 0], row)  # @load
            with T.SimtVF(threads=64):  # @double
                for i in T.Parallel(WIDTH):
                    row[0, i] = row[0, i] + row[0, i]
            T.copy(row, y[r, 0])  # @store
    return y
