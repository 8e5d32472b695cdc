# case: doc: DataCopyPad
# what: the three lanes beyond the row are stored, and nobody has written them
# twin: padded_copy.py
# chip: 950
# expect: uninitialised-read UB @store

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
        T.copy(x[0:ROWS, 0:WIDTH], tile[:, 0:WIDTH])
        T.copy(tile, y)  # @store
    return y
