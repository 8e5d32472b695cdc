# case: K09
# what: the row to load is read from GM by the scalar unit: nothing else touches the list of rows
# chip: 950
# launch: table=float32[64,128]:in rows=int32[8]{0..63}:in
# expect: clean
# values: out = table[rows]

import tilelang
import tilelang.ascend.language as T

ROWS = 8
WIDTH = 128


@tilelang.jit(target="ascend")
def gather(table, rows):
    table: T.Tensor((64, WIDTH), T.float32)
    rows: T.Tensor((ROWS,), T.int32)
    out = T.empty((ROWS, WIDTH), T.float32)

    with T.Kernel(2) as core:
        line = T.alloc_shared((1, WIDTH), T.float32)
        for r in T.serial(ROWS // 2):
            T.copy(table[rows[core * (ROWS // 2) + r], 0], line)
            T.copy(line, out[core * (ROWS // 2) + r, 0])
    return out
