"""Kernels of the M tree (`tilelang.ascend`) that the face is tested with: each is lowered by the real compiler.

Shapes come from the example tensors; keyword arguments are tile parameters. `M`, `N`, `K` follow the tensors: A is
[M, K], B is [N, K] (or [K, N] where a kernel says so), the result is the last argument.
"""

# ruff: noqa: F821, F722  (names of T.const are bound while tracing)
# mypy: ignore-errors

import tilelang
import tilelang.ascend.language as T

S = T.simd


def unary_value(op, x):
    """One float32 element of a unary operator, as a TIR expression."""
    if op == "relu":
        return T.max(x, T.float32(0))
    if op == "sqrt":
        return T.sqrt(x)
    if op == "exp":
        return T.exp(x)
    if op == "silu":
        return x / (T.float32(1) + T.exp(-x))
    if op == "gelu_tanh":
        inner = T.float32(0.7978845608028654) * (x + T.float32(0.044715) * x * x * x)
        return T.float32(0.5) * x * (T.float32(1) + T.tanh(inner))
    if op == "gelu_erf":
        return T.float32(0.5) * x * (T.float32(1) + T.erf(x * T.float32(0.7071067811865476)))
    raise ValueError(op)


def binary_value(op, x, y):
    """One element of a binary operator, in the type of its operands."""
    if op == "add":
        return x + y
    if op == "sub":
        return x - y
    if op == "mul":
        return x * y
    if op == "div":
        return x / y
    if op == "max":
        return T.max(x, y)
    if op == "min":
        return T.min(x, y)
    raise ValueError(op)


@tilelang.jit(target="ascend")
def unary_simt(
    A,
    op: str = "relu",
    bm: int = 32,
    bn: int = 128,
    dt: str = "float32",
    nb: int = 4,
    ns: int = 2,
):
    M, N = T.const("M, N")
    A: T.Tensor((M, N), dt)
    C = T.empty((M, N), dtype=dt)
    with T.Kernel(nb) as bx:
        a = T.alloc_shared((bm, bn), dt)
        c = T.alloc_shared((bm, bn), dt)
        for tm, tn in T.Persistent([T.ceildiv(M, bm), T.ceildiv(N, bn)], nb, bx, num_stages=ns):
            T.copy(A[tm * bm, tn * bn], a)
            with T.SimtVF(threads=256):
                for i, j in T.Parallel(bm, bn):
                    c[i, j] = T.cast(unary_value(op, T.cast(a[i, j], "float32")), dt)
            T.copy(c, C[tm * bm, tn * bn])
    return C


@tilelang.jit(target="ascend")
def binary_simt(
    A, B, op: str = "add", bm: int = 32, bn: int = 128, dt: str = "float32", nb: int = 4, ns: int = 1
):
    M, N = T.const("M, N")
    A: T.Tensor((M, N), dt)
    B: T.Tensor((M, N), dt)
    C = T.empty((M, N), dtype=dt)
    with T.Kernel(nb) as bx:
        a = T.alloc_shared((bm, bn), dt)
        b = T.alloc_shared((bm, bn), dt)
        c = T.alloc_shared((bm, bn), dt)
        for tm, tn in T.Persistent([T.ceildiv(M, bm), T.ceildiv(N, bn)], nb, bx, num_stages=ns):
            T.copy(A[tm * bm, tn * bn], a)
            T.copy(B[tm * bm, tn * bn], b)
            with T.SimtVF(threads=256):
                for i, j in T.Parallel(bm, bn):
                    c[i, j] = binary_value(op, a[i, j], b[i, j])
            T.copy(c, C[tm * bm, tn * bn])
    return C


@tilelang.jit(target="ascend")
def flat_simt(A, bn: int = 2048, dt: str = "float16", nb: int = 4):
    L = T.const("L")
    A: T.Tensor((L,), dt)
    C = T.empty((L,), dtype=dt)
    with T.Kernel(nb) as bx:
        a = T.alloc_shared((bn,), dt)
        c = T.alloc_shared((bn,), dt)
        for tile in T.Persistent([T.ceildiv(L, bn)], nb, bx, num_stages=2):
            T.copy(A[tile * bn], a)
            with T.SimtVF(threads=256):
                for i in T.Parallel(bn):
                    c[i] = T.cast(T.max(T.cast(a[i], "float32"), T.float32(0)), dt)
            T.copy(c, C[tile * bn])
    return C


def simd_unary(op, x):
    """The same in vector registers."""
    if op == "relu":
        return S.vrelu(x)
    if op == "exp":
        return S.vexp(x)
    if op == "sqrt":
        return S.vsqrt(x)
    if op == "silu":
        e = S.vexp(S.vmuls(x, T.float32(-1)))
        return S.vdiv(x, S.vadds(e, T.float32(1)))
    raise ValueError(op)


@tilelang.jit(target="ascend")
def unary_simd(
    A,
    op: str = "relu",
    bm: int = 32,
    bn: int = 128,
    dt: str = "float32",
    nb: int = 4,
    ns: int = 2,
):
    M, N = T.const("M, N")
    A: T.Tensor((M, N), dt)
    C = T.empty((M, N), dtype=dt)
    VL = 64
    with T.Kernel(nb) as bx:
        a = T.alloc_shared((bm, bn), dt)
        c = T.alloc_shared((bm, bn), dt)
        for tm, tn in T.Persistent([T.ceildiv(M, bm), T.ceildiv(N, bn)], nb, bx, num_stages=ns):
            T.copy(A[tm * bm, tn * bn], a)
            with T.SimdVF():
                for i in T.serial(bm):
                    for j in T.serial(bn // VL):
                        if dt == "float32":
                            x = S.vld(a[i, j * VL])
                            y = simd_unary(op, x)
                            S.vsts(c[i, j * VL], y)
                        else:
                            xh = S.vld(a[i, j * VL], dist="UNPK_B16")
                            x = S.vcvt(xh, "float32", part=0)
                            y = simd_unary(op, x)
                            yh = S.vcvt(y, dt, round="ROUND_R", part=0)
                            m32 = S.pset(32)
                            S.vsts(c[i, j * VL], yh, mask=m32, dist="PK_B32")
            T.copy(c, C[tm * bm, tn * bn])
    return C


def simd_binary(op, x, y):
    """A binary operator in vector registers."""
    if op == "add":
        return S.vadd(x, y)
    if op == "sub":
        return S.vsub(x, y)
    if op == "mul":
        return S.vmul(x, y)
    if op == "max":
        return S.vmax(x, y)
    if op == "min":
        return S.vmin(x, y)
    if op == "div":
        return S.vdiv(x, y)
    raise ValueError(op)


@tilelang.jit(target="ascend")
def binary_simd(
    A, B, op: str = "add", bm: int = 32, bn: int = 128, dt: str = "float32", nb: int = 4, ns: int = 1
):
    M, N = T.const("M, N")
    A: T.Tensor((M, N), dt)
    B: T.Tensor((M, N), dt)
    C = T.empty((M, N), dtype=dt)
    VL = 64 if dt == "float32" else 128
    store = "NORM_B32" if dt == "float32" else "NORM_B16"
    with T.Kernel(nb) as bx:
        a = T.alloc_shared((bm, bn), dt)
        b = T.alloc_shared((bm, bn), dt)
        c = T.alloc_shared((bm, bn), dt)
        for tm, tn in T.Persistent([T.ceildiv(M, bm), T.ceildiv(N, bn)], nb, bx, num_stages=ns):
            T.copy(A[tm * bm, tn * bn], a)
            T.copy(B[tm * bm, tn * bn], b)
            with T.SimdVF():
                for i in T.serial(bm):
                    for j in T.serial(bn // VL):
                        x = S.vld(a[i, j * VL])
                        y = S.vld(b[i, j * VL])
                        z = simd_binary(op, x, y)
                        S.vsts(c[i, j * VL], z, dist=store)
            T.copy(c, C[tm * bm, tn * bn])
    return C


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


@tilelang.jit(target="ascend")
def gemm_nt(
    A,
    B,
    bM: int = 128,
    bN: int = 128,
    bK: int = 64,
    dt: str = "bfloat16",
    odt: str = "float32",
    nb: int = 4,
    ns: int = 2,
):
    """C[M, N] = A[M, K] B[N, K]^T."""
    M, N, K = T.const("M, N, K")
    A: T.Tensor((M, K), dt)
    B: T.Tensor((N, K), dt)
    C = T.empty((M, N), dtype=odt)
    with T.Kernel(nb) as bx:
        a1 = T.alloc_l1((bM, bK), dt)
        b1 = T.alloc_l1((bN, bK), dt)
        c0 = T.alloc_l0c((bM, bN), "float32")
        for tm, tn in T.Persistent([T.ceildiv(M, bM), T.ceildiv(N, bN)], nb, bx):
            for k in T.Pipelined(T.ceildiv(K, bK), num_stages=ns):
                T.copy(A[tm * bM, k * bK], a1)
                T.copy(B[tn * bN, k * bK], b1)
                T.gemm(a1, b1, c0, transpose_B=True, clear_accum=(k == 0))
            T.copy(c0, C[tm * bM, tn * bN])
    return C


@tilelang.jit(target="ascend")
def gemm_dn(
    A,
    B,
    bM: int = 128,
    bN: int = 128,
    bK: int = 64,
    dt: str = "bfloat16",
    odt: str = "float32",
    nb: int = 4,
    ns: int = 2,
):
    """C[M, N] = A[M, K] B[K, N]: B is transposed while it is copied into L1."""
    M, N, K = T.const("M, N, K")
    A: T.Tensor((M, K), dt)
    B: T.Tensor((K, N), dt)
    C = T.empty((M, N), dtype=odt)
    with T.Kernel(nb) as bx:
        a1 = T.alloc_l1((bM, bK), dt)
        b1 = T.alloc_l1((bN, bK), dt)
        c0 = T.alloc_l0c((bM, bN), "float32")
        for tm, tn in T.Persistent([T.ceildiv(M, bM), T.ceildiv(N, bN)], nb, bx):
            for k in T.Pipelined(T.ceildiv(K, bK), num_stages=ns):
                T.copy(A[tm * bM, k * bK], a1)
                T.copy(
                    B[k * bK : k * bK + bK, tn * bN : tn * bN + bN],
                    b1[0:bN, 0:bK],
                    transpose=True,
                )
                T.gemm(a1, b1, c0, transpose_B=True, clear_accum=(k == 0))
            T.copy(c0, C[tm * bM, tn * bN])
    return C


@tilelang.jit(target="ascend")
def gemm_l0(
    A,
    B,
    bM: int = 128,
    bN: int = 256,
    bK: int = 256,
    sK: int = 64,
    dt: str = "bfloat16",
    odt: str = "float32",
    nb: int = 2,
    trans: bool = False,
):
    """Explicit L0 operands: C = A B (B [K, N]) or, with `trans`, C = A B^T (B [N, K])."""
    M, N, K = T.const("M, N, K")
    A: T.Tensor((M, K), dt)
    B: T.Tensor((N, K) if trans else (K, N), dt)
    C = T.empty((M, N), dtype=odt)
    with T.Kernel(nb) as bx:
        a1 = T.alloc_l1((bM, bK), dt)
        b1 = T.alloc_l1((bN, bK) if trans else (bK, bN), dt)
        a0 = T.alloc_l0a((bM, sK), dt)
        b0 = T.alloc_l0b((bN, sK) if trans else (sK, bN), dt)
        c0 = T.alloc_l0c((bM, bN), "float32")
        for tm, tn in T.Persistent([T.ceildiv(M, bM), T.ceildiv(N, bN)], nb, bx):
            for k in T.Pipelined(T.ceildiv(K, bK), num_stages=2):
                T.copy(A[tm * bM, k * bK], a1)
                if trans:
                    T.copy(B[tn * bN, k * bK], b1)
                else:
                    T.copy(B[k * bK, tn * bN], b1)
                for s in T.Pipelined(bK // sK, num_stages=2):
                    T.copy(a1[:, s * sK : (s + 1) * sK], a0)
                    if trans:
                        T.copy(b1[:, s * sK : (s + 1) * sK], b0)
                    else:
                        T.copy(b1[s * sK : (s + 1) * sK, :], b0)
                    T.gemm(a0, b0, c0, transpose_B=trans, clear_accum=T.And(k == 0, s == 0))
            T.copy(c0, C[tm * bM, tn * bN])
    return C


@tilelang.jit(target="ascend")
def gemm_epilogue(
    A,
    B,
    bias,
    R,
    bM: int = 128,
    bN: int = 128,
    bK: int = 64,
    dt: str = "bfloat16",
    odt: str = "float32",
    nb: int = 2,
    split: str = "m",
):
    """C = relu(A B^T + bias) + R: the Cube core and both Vector cores of a block."""
    M, N, K = T.const("M, N, K")
    A: T.Tensor((M, K), dt)
    B: T.Tensor((N, K), dt)
    bias: T.Tensor((N,), dt)
    R: T.Tensor((M, N), odt)
    C = T.empty((M, N), dtype=odt)
    rows = bM // 2 if split == "m" else bM
    cols = bN if split == "m" else bN // 2
    with T.Kernel(nb) as bx:
        a1 = T.alloc_l1((bM, bK), dt)
        b1 = T.alloc_l1((bN, bK), dt)
        c0 = T.alloc_l0c((bM, bN), "float32")
        cu = T.alloc_shared((rows, cols), "float32")
        ru = T.alloc_shared((rows, cols), odt)
        ou = T.alloc_shared((rows, cols), odt)
        bu = T.alloc_shared((bN,), dt)
        for tm, tn in T.Persistent([T.ceildiv(M, bM), T.ceildiv(N, bN)], nb, bx):
            for k in T.Pipelined(T.ceildiv(K, bK), num_stages=2):
                T.copy(A[tm * bM, k * bK], a1)
                T.copy(B[tn * bN, k * bK], b1)
                T.gemm(a1, b1, c0, transpose_B=True, clear_accum=(k == 0))
            if split == "m":
                T.copy(bias[tn * bN], bu)
            T.dual_copy(R[tm * bM : tm * bM + bM, tn * bN : tn * bN + bN], ru)
            T.dual_copy(c0, cu)
            with T.SimtVF(threads=256):
                for i, j in T.Parallel(rows, cols):
                    if split == "m":
                        ou[i, j] = T.cast(
                            T.max(cu[i, j] + T.cast(bu[j], "float32"), T.float32(0))
                            + T.cast(ru[i, j], "float32"),
                            odt,
                        )
                    else:
                        ou[i, j] = T.cast(
                            T.max(cu[i, j], T.float32(0)) + T.cast(ru[i, j], "float32"), odt
                        )
            T.dual_copy(ou, C[tm * bM : tm * bM + bM, tn * bN : tn * bN + bN])
    return C
