# case: SIMT
# what: the barriers of the compiler are switched off, and the kernel has its own
# twin: threads_exchange_without_barrier.py
# chip: 950
# expect: clean
# values: y = 2 * x[::-1]

import tilelang
import tilelang.ascend.language as T

NO_BARRIERS = {tilelang.PassConfigKey.TL_DISABLE_THREAD_STORAGE_SYNC: True}
TILE = 256


@tilelang.jit(target="ascend", pass_configs=NO_BARRIERS)
def reverse(x):
    x: T.Tensor((TILE,), T.float32)
    y = T.empty((TILE,), T.float32)

    with T.Kernel(1) as core:
        x_ub = T.alloc_shared((TILE,), T.float32)
        scratch = T.alloc_shared((TILE,), T.float32)
        y_ub = T.alloc_shared((TILE,), T.float32)
        T.copy(x, x_ub)
        with T.SimtVF(threads=TILE):
            thread = T.get_thread_binding()
            scratch[thread] = x_ub[thread] + x_ub[thread]
            T.sync_threads()
            y_ub[thread] = scratch[TILE - 1 - thread]
        T.copy(y_ub, y)
    return y
