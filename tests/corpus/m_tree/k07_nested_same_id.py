# case: K07
# what: two flags of MTE3 with one id are out at once; only the pipe that waits tells them apart
# twin: k07_nested_two_ids.py
# chip: 950
# expect: clean; note flag-set-twice MTE3→MTE2 @inner
# expect flag_identity=strict: flag-set-twice MTE3→MTE2 @outer @inner
# values: first = x
# values: second = z
# values: square = x * w

import tilelang
import tilelang.ascend.language as T

MANUAL = {tilelang.PassConfigKey.TL_ENABLE_AUTO_SCHEDULE: False}
N = 64


@tilelang.jit(target="ascend", pass_configs=MANUAL)
def nested(x, z, w, first, second, square):
    x: T.Tensor((N,), T.float32)
    z: T.Tensor((N,), T.float32)
    w: T.Tensor((N,), T.float32)
    first: T.Tensor((N,), T.float32)
    second: T.Tensor((N,), T.float32)
    square: T.Tensor((N,), T.float32)

    with T.Kernel(1) as core:
        a = T.alloc_shared((N,), T.float32)
        b = T.alloc_shared((N,), T.float32)
        T.copy(x, a)
        T.copy(z, b)
        T.ascend_set_flag("MTE2_MTE3", 0)
        T.ascend_wait_flag("MTE2_MTE3", 0)
        T.copy(a, first)
        T.ascend_set_flag("MTE3_V", 0)  # @outer
        T.copy(b, second)  # @store
        T.ascend_set_flag("MTE3_MTE2", 0)  # @inner
        T.ascend_wait_flag("MTE3_MTE2", 0)
        T.copy(w, b)  # @load
        T.ascend_wait_flag("MTE3_V", 0)
        T.ascend_set_flag("MTE2_V", 0)
        T.ascend_wait_flag("MTE2_V", 0)
        with T.SimtVF(threads=32):
            for i in T.Parallel(N):
                a[i] = a[i] * b[i]
        T.ascend_set_flag("V_MTE3", 0)
        T.ascend_wait_flag("V_MTE3", 0)
        T.copy(a, square)
