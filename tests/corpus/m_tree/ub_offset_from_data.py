# case: must-not-flag 9
# what: which row of the tile is stored is read from GM: its offset is not known to the compiler
# chip: 950
# launch: x=float32[8,64]:in order=int32[8]{0..7}:in
# expect: clean
# values: y = x[order]

import tilelang
import tilelang.ascend.language as T

ROWS = 8
WIDTH = 64


@tilelang.jit(target="ascend")
def permute(x, order):
    x: T.Tensor((ROWS, WIDTH), T.float32)
    order: T.Tensor((ROWS,), T.int32)
    y = T.empty((ROWS, WIDTH), T.float32)

    with T.Kernel(1) as core:
        tile = T.alloc_shared((ROWS, WIDTH), T.float32)
        T.copy(x, tile)
        for r in T.serial(ROWS):
            T.copy(tile[order[r], :], y[r, 0:WIDTH])
    return y
