# case: K03
# what: the load is followed by one flag for each of its two readers
# twin: k03_second_reader_not_ordered.py
# chip: 950
# expect: clean
# values: kept = x
# values: doubled = 2 * x

import tilelang
import tilelang.ascend.language as T

MANUAL = {tilelang.PassConfigKey.TL_ENABLE_AUTO_SCHEDULE: False}
TILE = 1024


@tilelang.jit(target="ascend", pass_configs=MANUAL)
def copy_and_double(x, kept, doubled):
    x: T.Tensor((TILE,), T.float32)
    kept: T.Tensor((TILE,), T.float32)
    doubled: T.Tensor((TILE,), T.float32)

    with T.Kernel(1) as core:
        a = T.alloc_shared((TILE,), T.float32)
        b = T.alloc_shared((TILE,), T.float32)
        T.copy(x, a)
        T.ascend_set_flag("MTE2_MTE3", 0)
        T.ascend_wait_flag("MTE2_MTE3", 0)
        T.copy(a, kept)
        T.ascend_set_flag("MTE2_V", 0)
        T.ascend_wait_flag("MTE2_V", 0)
        with T.SimtVF(threads=256):
            for i in T.Parallel(TILE):
                b[i] = a[i] + a[i]
        T.ascend_set_flag("V_MTE3", 0)
        T.ascend_wait_flag("V_MTE3", 0)
        T.copy(b, doubled)
