# case: doc: bounds
# what: the last core reads one row number more than the list has
# twin: k09_scalar_from_gm.py
# chip: 950
# launch: table=float32[64,128]:in rows=int32[7]{0..63}:in
# expect: out-of-bounds GM @read

import tilelang
import tilelang.ascend.language as T

ROWS = 8
WIDTH = 128


@tilelang.jit(target="ascend")
def gather(table, rows):
    table: T.Tensor((64, WIDTH), T.float32)
    rows: T.Tensor((ROWS - 1,), T.int32)
    out = T.empty((ROWS, WIDTH), T.float32)

    with T.Kernel(2) as core:
        line = T.alloc_shared((1, WIDTH), T.float32)
        for r in T.serial(ROWS // 2):
            T.copy(table[rows[core * (ROWS // 2) + r], 0], line)  # @read
            T.copy(line, out[core * (ROWS // 2) + r, 0])
    return out
