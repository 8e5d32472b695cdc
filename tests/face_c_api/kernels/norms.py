"""Kernels that reduce rows: across all threads, across a warp, and in vector registers.

X, Y are [M, N]; W is [N].
"""

import tilelang
import tilelang.ascend.language as T

S = T.simd


@tilelang.jit(target="ascend")
def rmsnorm(
    X,
    W,
    bm: int = 4,
    dt: str = "bfloat16",
    nb: int = 2,
    ns: int = 2,
    threads: int = 256,
    vec: int = 4,
    eps: float = 1e-6,
):
    M, N = T.const("M, N")
    X: T.Tensor((M, N), dt)
    W: T.Tensor((N,), dt)
    Y = T.empty((M, N), dtype=dt)
    q = threads * vec
    NP = (N + q - 1) // q * q
    with T.Kernel(nb) as bx:
        x = T.alloc_shared((bm, NP), dt)
        wt = T.alloc_shared((NP,), dt)
        y = T.alloc_shared((bm, NP), dt)
        T.copy(W[0:N], wt[0:N])
        for tm in T.Persistent([T.ceildiv(M, bm)], nb, bx, num_stages=ns):
            T.copy(X[tm * bm : tm * bm + bm, 0:N], x[:, 0:N])
            with T.SimtVF(threads=threads):
                xf = T.alloc_fragment((bm, NP), "float32")
                sq = T.alloc_fragment((bm, NP), "float32")
                s = T.alloc_fragment((bm,), "float32")
                for i, j in T.Parallel(bm, NP):
                    xf[i, j] = T.if_then_else(j < N, T.cast(x[i, j], "float32"), T.float32(0))
                for i, j in T.Parallel(bm, NP):
                    sq[i, j] = xf[i, j] * xf[i, j]
                T.reduce_sum(sq, s, dim=1)
                for i in T.Parallel(bm):
                    s[i] = T.rsqrt(s[i] / N + eps)
                for i, j in T.Parallel(bm, NP):
                    y[i, j] = T.cast(xf[i, j] * s[i] * T.cast(wt[j], "float32"), dt)
            T.copy(y[:, 0:N], Y[tm * bm : tm * bm + bm, 0:N])
    return Y


@tilelang.jit(target="ascend")
def softmax(
    X, bm: int = 4, dt: str = "float32", nb: int = 2, ns: int = 2, threads: int = 256, vec: int = 2
):
    M, N = T.const("M, N")
    X: T.Tensor((M, N), dt)
    Y = T.empty((M, N), dtype=dt)
    q = threads * vec
    NP = (N + q - 1) // q * q
    with T.Kernel(nb) as bx:
        x = T.alloc_shared((bm, NP), dt)
        y = T.alloc_shared((bm, NP), dt)
        for tm in T.Persistent([T.ceildiv(M, bm)], nb, bx, num_stages=ns):
            T.copy(X[tm * bm : tm * bm + bm, 0:N], x[:, 0:N])
            with T.SimtVF(threads=threads):
                xf = T.alloc_fragment((bm, NP), "float32")
                mx = T.alloc_fragment((bm,), "float32")
                s = T.alloc_fragment((bm,), "float32")
                for i, j in T.Parallel(bm, NP):
                    xf[i, j] = T.if_then_else(
                        j < N, T.cast(x[i, j], "float32"), -T.infinity("float32")
                    )
                T.reduce_max(xf, mx, dim=1)
                for i, j in T.Parallel(bm, NP):
                    xf[i, j] = T.exp(xf[i, j] - mx[i])
                T.reduce_sum(xf, s, dim=1)
                for i, j in T.Parallel(bm, NP):
                    y[i, j] = T.cast(xf[i, j] / s[i], dt)
            T.copy(y[:, 0:N], Y[tm * bm : tm * bm + bm, 0:N])
    return Y


@tilelang.jit(target="ascend")
def row_sum_warp(X, bm: int = 8, dt: str = "float32", nb: int = 2):
    """One warp a row: strided sums, then the hardware reduction of a warp."""
    M, N = T.const("M, N")
    X: T.Tensor((M, N), dt)
    Y = T.empty((M, 8), dtype="float32")
    with T.Kernel(nb) as bx:
        x = T.alloc_shared((bm, N), dt)
        y = T.alloc_shared((bm, 8), "float32")
        for tm in T.Persistent([T.ceildiv(M, bm)], nb, bx):
            T.copy(X[tm * bm, 0], x)
            with T.SimtVF(threads=bm * 32):
                tx = T.get_thread_binding()
                row = tx // 32
                lane = tx % 32
                s = T.alloc_var("float32")
                s = T.float32(0)
                for j in T.serial(T.ceildiv(N, 32)):
                    if j * 32 + lane < N:
                        s = s + T.cast(x[row, j * 32 + lane], "float32")
                total = T.alloc_var("float32")
                total = T.warp_reduce_sum(s)
                if lane < 8:
                    y[row, lane] = total
            T.copy(y, Y[tm * bm, 0])
    return Y


@tilelang.jit(target="ascend")
def rmsnorm_simd(X, bm: int = 4, dt: str = "bfloat16", nb: int = 2, eps: float = 1e-6):
    M, N = T.const("M, N")
    X: T.Tensor((M, N), dt)
    Y = T.empty((M, N), dtype=dt)
    VL = 64
    NP = (N + VL - 1) // VL * VL
    with T.Kernel(nb) as bx:
        x = T.alloc_shared((bm, NP), dt)
        y = T.alloc_shared((bm, NP), dt)
        for tm in T.Persistent([T.ceildiv(M, bm)], nb, bx, num_stages=2):
            T.copy(X[tm * bm : tm * bm + bm, 0:N], x[:, 0:N])
            with T.SimdVF():
                m = S.pset(32)
                for i in T.serial(bm):
                    acc = S.alloc_var("float32")
                    acc = S.vdup(T.float32(0), "float32", m)
                    for j in T.serial(NP // VL):
                        mt = S.update_mask(N - j * VL, 32)
                        xh = S.vld(x[i, j * VL], dist="UNPK_B16")
                        xf = S.vcvt(xh, "float32", part=0)
                        S.vmula(acc, xf, xf, mt, mode="MODE_MERGING")
                    total = S.vcadd(acc, m)
                    mean = S.vadds(S.vmuls(total, T.float32(1.0 / N), m), T.float32(eps), m)
                    root = S.vsqrt(mean, m)
                    one = S.vdup(T.float32(1), "float32", m)
                    r = S.vdiv(one, root, m)
                    scale = S.vdupv(r, m, pos="POS_LOWEST")
                    for j in T.serial(NP // VL):
                        xh2 = S.vld(x[i, j * VL], dist="UNPK_B16")
                        xf2 = S.vcvt(xh2, "float32", part=0)
                        yf = S.vmul(xf2, scale, m)
                        yh = S.vcvt(yf, dt, round="ROUND_R", part=0)
                        S.vsts(y[i, j * VL], yh, mask=m, dist="PK_B32")
            T.copy(y[:, 0:N], Y[tm * bm : tm * bm + bm, 0:N])
    return Y
