# case: SIMT
# what: the same with plain additions: the cores overwrite each other
# twin: threads_add_atomically.py
# chip: 950
# launch: x=int32[1024]{0..7}:in bins=float32[8]{zeros}:inout
# expect: race-raw V threads @add; output-written-twice @count

import tilelang
import tilelang.ascend.language as T

CORES = 4
TILE = 256


@tilelang.jit(target="ascend")
def histogram(x, bins):
    x: T.Tensor((CORES * TILE,), T.int32)
    bins: T.Tensor((8,), T.float32)

    with T.Kernel(CORES) as core:
        x_ub = T.alloc_shared((TILE,), T.int32)
        T.copy(x[core * TILE], x_ub)
        with T.SimtVF(threads=TILE):  # @count
            thread = T.get_thread_binding()
            bins[x_ub[thread]] = bins[x_ub[thread]] + T.float32(1)  # @add
