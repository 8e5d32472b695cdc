# case: K09
# what: the scalar unit reads one element of UB, a row number, while the copy may still be writing it
# twin: k09_scalar_read_of_ub.py
# chip: 950
# launch: x=float32[8,64]:in rows=int32[8]{0..7}:in
# expect: race-raw MTE2→S @fetch @read

import tilelang
import tilelang.ascend.language as T

MANUAL = {tilelang.PassConfigKey.TL_ENABLE_AUTO_SCHEDULE: False}
ROWS = 8
WIDTH = 64


@tilelang.jit(target="ascend", pass_configs=MANUAL)
def pick(x, rows):
    x: T.Tensor((ROWS, WIDTH), T.float32)
    rows: T.Tensor((8,), T.int32)
    y = T.empty((1, WIDTH), T.float32)

    with T.Kernel(1) as core:
        ids = T.alloc_shared((8,), T.int32)
        line = T.alloc_shared((1, WIDTH), T.float32)
        T.copy(rows, ids)  # @fetch
        T.copy(x[ids[2], 0], line)  # @read
        T.ascend_set_flag("MTE2_MTE3", 0)
        T.ascend_wait_flag("MTE2_MTE3", 0)
        T.copy(line, y)
    return y
