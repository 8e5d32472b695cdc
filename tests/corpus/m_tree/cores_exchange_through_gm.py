# case: between cores
# what: every core arrives after its store and waits for all before it reads its neighbour's rows
# twin: cores_exchange_unsynchronised.py
# chip: 950
# launch: x=float32[1024]:in shared=float32[1024]:out
# expect: clean
# values: y = np.roll(x, -256)

import tilelang
import tilelang.ascend.language as T

MANUAL = {tilelang.PassConfigKey.TL_ENABLE_AUTO_SCHEDULE: False}
CORES = 4
TILE = 256


@tilelang.jit(target="ascend", pass_configs=MANUAL)
def pass_to_the_left(x, shared):
    x: T.Tensor((CORES * TILE,), T.float32)
    shared: T.Tensor((CORES * TILE,), T.float32)
    y = T.empty((CORES * TILE,), T.float32)

    with T.Kernel(CORES) as core:
        mine = T.alloc_shared((TILE,), T.float32)
        other = T.alloc_shared((TILE,), T.float32)
        T.copy(x[core * TILE], mine)
        T.ascend_set_flag("MTE2_MTE3", 0)
        T.ascend_wait_flag("MTE2_MTE3", 0)
        T.copy(mine, shared[core * TILE])
        T.ascend_sync_inter_arrive("PIPE_MTE3", 0)
        T.ascend_sync_inter_wait("PIPE_MTE2", 0)
        T.copy(shared[(core + 1) % CORES * TILE], other)
        T.ascend_set_flag("MTE2_MTE3", 1)
        T.ascend_wait_flag("MTE2_MTE3", 1)
        T.copy(other, y[core * TILE])
    return y
