# chip: 950

import tilelang
import tilelang.ascend.language as T


@tilelang.jit(target="ascend")
def int8_to_half_m(x):
    x: T.Tensor((33,), T.int8)
    y = T.empty((33,), T.float16)
    with T.Kernel(1) as core:
        bytes_ub = T.alloc_shared((64,), T.int8)
        halves = T.alloc_shared((64,), T.float16)
        T.copy(x[0], bytes_ub)
        with T.SimtVF(threads=32):
            # A thread takes one element at a time: tilelang 0.1.15 has no pairs of int8.
            thread = T.get_thread_binding()
            for i in T.serial(2):
                halves[thread + i * 32] = T.cast(bytes_ub[thread + i * 32], T.float16)
        T.copy(halves, y[0])
    return y
