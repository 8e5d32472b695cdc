# case: must-not-flag 13
# what: rows of 61 elements are padded with ones to the next 32 bytes, and all 64 are stored
# twin: padding_left_out.py
# chip: 950
# expect: clean
# values: y = np.concatenate([x, np.ones((8, 3))], axis=1)

import tilelang
import tilelang.ascend.language as T

ROWS = 8
WIDTH = 61
PADDED = 64


@tilelang.jit(target="ascend")
def with_ones(x):
    x: T.Tensor((ROWS, WIDTH), T.float32)
    y = T.empty((ROWS, PADDED), T.float32)

    with T.Kernel(1) as core:
        tile = T.alloc_shared((ROWS, PADDED), T.float32)
        T.copy(x[0:ROWS, 0:WIDTH], tile[:, 0:WIDTH], pad_value=1.0)
        T.copy(tile, y)
    return y
