# case: doc: uninitialised
# what: the cores add to rows that nobody has set to zero
# twin: cores_store_atomically.py
# chip: 950
# launch: x=float32[1024]:in total=float32[256]:out
# expect: uninitialised-read GM @store

import tilelang
import tilelang.ascend.language as T

MANUAL = {tilelang.PassConfigKey.TL_ENABLE_AUTO_SCHEDULE: False}
CORES = 4
TILE = 256


@tilelang.jit(target="ascend", pass_configs=MANUAL)
def add_up(x, total):
    x: T.Tensor((CORES * TILE,), T.float32)
    total: T.Tensor((TILE,), T.float32)

    with T.Kernel(CORES) as core:
        tile = T.alloc_shared((TILE,), T.float32)
        T.copy(x[core * TILE], tile)
        T.ascend_set_flag("MTE2_MTE3", 0)
        T.ascend_wait_flag("MTE2_MTE3", 0)
        T.set_atomic("add", "float32")
        T.copy(tile, total)  # @store
        T.set_atomic_none()
