# case: SIMT
# what: all threads of all cores add to eight bins in GM with atomics
# twin: threads_add_without_atomics.py
# chip: 950
# launch: x=int32[1024]{0..7}:in bins=float32[8]{zeros}:inout
# expect: clean
# values: bins = np.bincount(x, minlength=8)

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
        with T.SimtVF(threads=TILE):
            thread = T.get_thread_binding()
            T.atomic_add(bins[x_ub[thread]], T.float32(1))
