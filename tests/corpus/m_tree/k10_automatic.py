# case: K10
# what: the same row loop, synchronised by the compiler
# chip: 950
# expect: clean
# values: y = 2 * x

import tilelang
import tilelang.ascend.language as T

ROWS = 6
WIDTH = 256


@tilelang.jit(target="ascend")
def double_rows(x):
    x: T.Tensor((ROWS, WIDTH), T.float32)
    y = T.empty((ROWS, WIDTH), T.float32)

    with T.Kernel(1) as core:
        row = T.alloc_shared((1, WIDTH), T.float32)
        for r in T.serial(ROWS):
            T.copy(x[r, 0], row)
            with T.SimtVF(threads=64):
                for i in T.Parallel(WIDTH):
                    row[0, i] = row[0, i] + row[0, i]
            T.copy(row, y[r, 0])
    return y
