# case: SIMD
# what: rows of 100 floats in vector registers of 64 lanes: the last step works under a mask
# twin: vector_registers_without_mask.py
# chip: 950
# expect: clean
# values: y = np.maximum(x, 0)

import tilelang
import tilelang.ascend.language as T

ROWS = 6
WIDTH = 100
PADDED = 128
LANES = 64


@tilelang.jit(target="ascend")
def relu(x):
    x: T.Tensor((ROWS, WIDTH), T.float32)
    y = T.empty((ROWS, WIDTH), T.float32)

    with T.Kernel(1) as core:
        x_ub = T.alloc_shared((ROWS, PADDED), T.float32)
        y_ub = T.alloc_shared((ROWS, PADDED), T.float32)
        T.copy(x[0:ROWS, 0:WIDTH], x_ub[:, 0:WIDTH])
        with T.SimdVF():
            for i in T.serial(ROWS):
                for j in T.serial(T.ceildiv(WIDTH, LANES)):
                    lanes = T.simd.update_mask(WIDTH - j * LANES, 32)
                    value = T.simd.vld(x_ub[i, j * LANES])
                    T.simd.vsts(y_ub[i, j * LANES], T.simd.vrelu(value, lanes), mask=lanes)
        T.copy(y_ub[:, 0:WIDTH], y)
    return y
