# chip: 950

import tilelang
import tilelang.ascend.language as T


@tilelang.jit(target="ascend")
def scaled_accumulator_m(x):
    x: T.Tensor((64,), T.int32)
    y = T.empty((64,), T.float32)
    with T.Kernel(1) as core:
        sums = T.alloc_shared((64,), T.int32)
        scaled = T.alloc_shared((64,), T.float32)
        T.copy(x[0], sums)
        with T.SimtVF(threads=32):
            # A thread takes one element at a time: tilelang 0.1.15 casts pairs of integers as no host compiler does.
            thread = T.get_thread_binding()
            for i in T.serial(2):
                scaled[thread + i * 32] = T.cast(sums[thread + i * 32], T.float32) * T.float32(0.01)
        T.copy(scaled, y[0])
    return y
