# case: K12
# what: the flag after the load is set for even rows only, and waited for in every row
# twin: k12_set_on_both_paths.py
# chip: 950
# expect: wait-without-set MTE2→V @wait

import tilelang
import tilelang.ascend.language as T

MANUAL = {tilelang.PassConfigKey.TL_ENABLE_AUTO_SCHEDULE: False}
ROWS = 2
WIDTH = 256


@tilelang.jit(target="ascend", pass_configs=MANUAL)
def double_rows(x):
    x: T.Tensor((ROWS, WIDTH), T.float32)
    y = T.empty((ROWS, WIDTH), T.float32)

    with T.Kernel(1) as core:
        row = T.alloc_shared((1, WIDTH), T.float32)
        T.ascend_set_flag("MTE3_MTE2", 0)
        for r in T.serial(ROWS):
            T.ascend_wait_flag("MTE3_MTE2", 0)
            T.copy(x[r, 0], row)
            if r % 2 == 0:
                T.ascend_set_flag("MTE2_V", 0)
            T.ascend_wait_flag("MTE2_V", 0)  # @wait
            with T.SimtVF(threads=64):
                for i in T.Parallel(WIDTH):
                    row[0, i] = row[0, i] + row[0, i]
            T.ascend_set_flag("V_MTE3", 0)
            T.ascend_wait_flag("V_MTE3", 0)
            T.copy(row, y[r, 0])
            T.ascend_set_flag("MTE3_MTE2", 0)
        T.ascend_wait_flag("MTE3_MTE2", 0)
    return y
