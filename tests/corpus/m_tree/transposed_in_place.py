# case: transposition
# what: the same within one tile: a thread overwrites what another one has yet to read
# twin: transposed_tile.py
# chip: 950
# expect: race-war V threads @turn @turn

import tilelang
import tilelang.ascend.language as T

N = 32


@tilelang.jit(target="ascend")
def transpose(x):
    x: T.Tensor((N, N), T.float32)
    y = T.empty((N, N), T.float32)

    with T.Kernel(1) as core:
        tile = T.alloc_shared((N, N), T.float32)
        T.copy(x, tile)
        with T.SimtVF(threads=N * N):
            thread = T.get_thread_binding()
            tile[thread // N, thread % N] = tile[thread % N, thread // N]  # @turn
        T.copy(tile, y)
    return y
