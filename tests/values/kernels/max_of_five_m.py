# chip: 950

import tilelang
import tilelang.ascend.language as T


@tilelang.jit(target="ascend")
def max_of_five_m(x):
    x: T.Tensor((5,), T.float32)
    y = T.empty((1,), T.float32)
    with T.Kernel(1) as core:
        row = T.alloc_shared((32,), T.float32)
        largest = T.alloc_shared((8,), T.float32)
        T.copy(x[0], row)
        with T.SimtVF(threads=32):
            padded = T.alloc_fragment((1, 32), T.float32)
            found = T.alloc_fragment((1,), T.float32)
            for i, j in T.Parallel(1, 32):
                padded[i, j] = T.if_then_else(j < 5, row[j], -T.infinity("float32"))
            T.reduce_max(padded, found, dim=1)
            for i in T.Parallel(1):
                largest[i] = found[i]
        T.copy(largest, y[0])
    return y
