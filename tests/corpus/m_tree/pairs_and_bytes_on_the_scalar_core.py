# case: scalar access by pointer
# what: the scalar core moves a pair of floats at once, spreads a number over a pair, and copies 8-bit floats
# launch: x=float32[256]:in q=float8_e4m3fn[256]:in
# expect: clean
# values: y = np.concatenate([x[32:34], x[2:8], [1.5, 1.5], x[10:16], x[40:48], x[24:]])
# values: z = np.concatenate([q[36:40], q[4:]])

import tilelang
import tilelang.ascend.language as T


@tilelang.jit(target="ascend")
def moved(x, q):
    N = T.const("N")
    x: T.Tensor((N,), "float32")
    q: T.Tensor((N,), "float8_e4m3fn")
    y = T.empty((N,), "float32")
    z = T.empty((N,), "float8_e4m3fn")
    with T.Kernel(1) as _:
        a = T.alloc_shared((N,), "float32")
        b = T.alloc_shared((N,), "float32")
        c = T.alloc_shared((N,), "float8_e4m3fn")
        d = T.alloc_shared((N,), "float8_e4m3fn")
        T.copy(x, a)
        T.copy(x, b)
        T.copy(q, c)
        T.copy(q, d)
        for i in T.vectorized(2):
            b[i] = a[i + 32]
        for i in T.vectorized(2):
            b[i + 8] = 1.5
        for i in T.serial(8):
            b[16 + i] = x[40 + i]
        for i in T.serial(4):
            d[i] = c[36 + i]
        T.copy(b, y)
        T.copy(d, z)
    return y, z
