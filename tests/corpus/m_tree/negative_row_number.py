# case: doc: bounds
# what: the compiler guards the end of the table, and a row number of -1 lies before it
# twin: k09_scalar_from_gm.py
# chip: 950
# launch: table=float32[64,128]:in rows=int32[4]{-1..-1}:in
# expect: out-of-bounds GM @read

import tilelang
import tilelang.ascend.language as T

WIDTH = 128


@tilelang.jit(target="ascend")
def gather(table, rows):
    table: T.Tensor((64, WIDTH), T.float32)
    rows: T.Tensor((4,), T.int32)
    out = T.empty((4, WIDTH), T.float32)

    with T.Kernel(1) as core:
        line = T.alloc_shared((1, WIDTH), T.float32)
        for r in T.serial(4):
            T.copy(table[rows[r], 0], line)  # @read
            T.copy(line, out[r, 0])
    return out
