# case: must-not-flag 1
# what: float32 to bfloat16 in vector registers, rounded to nearest even
# chip: 950
# expect: clean
# values: y = x ~ 4e-3

import tilelang
import tilelang.ascend.language as T

TILE = 512
LANES = 64


@tilelang.jit(target="ascend")
def to_bfloat16(x):
    x: T.Tensor((2 * TILE,), T.float32)
    y = T.empty((2 * TILE,), T.bfloat16)

    with T.Kernel(2) as core:
        x_ub = T.alloc_shared((TILE,), T.float32)
        y_ub = T.alloc_shared((TILE,), T.bfloat16)
        T.copy(x[core * TILE], x_ub)
        with T.SimdVF():
            for i in T.serial(TILE // LANES):
                wide = T.simd.vld(x_ub[i * LANES])
                narrow = T.simd.vcvt(wide, "bfloat16", round="ROUND_R", part=0)
                lanes = T.simd.pset(32)
                T.simd.vsts(y_ub[i * LANES], narrow, mask=lanes, dist="PK_B32")
        T.copy(y_ub, y[core * TILE])
    return y
