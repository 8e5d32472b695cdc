# case: must-not-flag 13
# what: rows of 61 half floats, 122 bytes: neither copy needs a multiple of 32
# chip: 950
# expect: clean
# values: y = -x

import tilelang
import tilelang.ascend.language as T

ROWS = 9
WIDTH = 61
PADDED = 64


@tilelang.jit(target="ascend")
def negate(x):
    x: T.Tensor((ROWS, WIDTH), T.float16)
    y = T.empty((ROWS, WIDTH), T.float16)

    with T.Kernel(1) as core:
        tile = T.alloc_shared((ROWS, PADDED), T.float16)
        T.copy(x[0:ROWS, 0:WIDTH], tile[:, 0:WIDTH])
        with T.SimtVF(threads=64):
            for i, j in T.Parallel(ROWS, PADDED):
                tile[i, j] = -tile[i, j]
        T.copy(tile[:, 0:WIDTH], y)
    return y
