"""Elementwise kernels, by threads (SIMT) and in vector registers (SIMD), over tiles with tails.

Each computes several operators at once: tensors are [M, N], one output an operator.
"""

import tilelang
import tilelang.ascend.language as T

S = T.simd


@tilelang.jit(target="ascend")
def unary_simt(A, bm: int = 32, bn: int = 128, dt: str = "float32", nb: int = 4, ns: int = 1):
    M, N = T.const("M, N")
    A: T.Tensor((M, N), dt)
    RELU = T.empty((M, N), dtype=dt)
    SQRT = T.empty((M, N), dtype=dt)
    EXP = T.empty((M, N), dtype=dt)
    SILU = T.empty((M, N), dtype=dt)
    TANH = T.empty((M, N), dtype=dt)
    ERF = T.empty((M, N), dtype=dt)
    with T.Kernel(nb) as bx:
        a = T.alloc_shared((bm, bn), dt)
        relu = T.alloc_shared((bm, bn), dt)
        sqrt = T.alloc_shared((bm, bn), dt)
        exp = T.alloc_shared((bm, bn), dt)
        silu = T.alloc_shared((bm, bn), dt)
        tanh = T.alloc_shared((bm, bn), dt)
        erf = T.alloc_shared((bm, bn), dt)
        for tm, tn in T.Persistent([T.ceildiv(M, bm), T.ceildiv(N, bn)], nb, bx, num_stages=ns):
            T.copy(A[tm * bm, tn * bn], a)
            with T.SimtVF(threads=256):
                for i, j in T.Parallel(bm, bn):
                    x = T.cast(a[i, j], "float32")
                    relu[i, j] = T.cast(T.max(x, T.float32(0)), dt)
                    sqrt[i, j] = T.cast(T.sqrt(T.abs(x)), dt)
                    exp[i, j] = T.cast(T.exp(x), dt)
                    silu[i, j] = T.cast(x / (T.float32(1) + T.exp(-x)), dt)
                    tanh[i, j] = T.cast(T.tanh(x), dt)
                    erf[i, j] = T.cast(T.erf(x), dt)
            T.copy(relu, RELU[tm * bm, tn * bn])
            T.copy(sqrt, SQRT[tm * bm, tn * bn])
            T.copy(exp, EXP[tm * bm, tn * bn])
            T.copy(silu, SILU[tm * bm, tn * bn])
            T.copy(tanh, TANH[tm * bm, tn * bn])
            T.copy(erf, ERF[tm * bm, tn * bn])
    return RELU, SQRT, EXP, SILU, TANH, ERF


@tilelang.jit(target="ascend")
def binary_simt(A, B, bm: int = 32, bn: int = 128, dt: str = "float32", nb: int = 4, ns: int = 1):
    M, N = T.const("M, N")
    A: T.Tensor((M, N), dt)
    B: T.Tensor((M, N), dt)
    ADD = T.empty((M, N), dtype=dt)
    SUB = T.empty((M, N), dtype=dt)
    MUL = T.empty((M, N), dtype=dt)
    DIV = T.empty((M, N), dtype=dt)
    MAX = T.empty((M, N), dtype=dt)
    MIN = T.empty((M, N), dtype=dt)
    with T.Kernel(nb) as bx:
        a = T.alloc_shared((bm, bn), dt)
        b = T.alloc_shared((bm, bn), dt)
        add = T.alloc_shared((bm, bn), dt)
        sub = T.alloc_shared((bm, bn), dt)
        mul = T.alloc_shared((bm, bn), dt)
        div = T.alloc_shared((bm, bn), dt)
        mx = T.alloc_shared((bm, bn), dt)
        mn = T.alloc_shared((bm, bn), dt)
        for tm, tn in T.Persistent([T.ceildiv(M, bm), T.ceildiv(N, bn)], nb, bx, num_stages=ns):
            T.copy(A[tm * bm, tn * bn], a)
            T.copy(B[tm * bm, tn * bn], b)
            with T.SimtVF(threads=256):
                for i, j in T.Parallel(bm, bn):
                    add[i, j] = a[i, j] + b[i, j]
                    sub[i, j] = a[i, j] - b[i, j]
                    mul[i, j] = a[i, j] * b[i, j]
                    div[i, j] = a[i, j] / b[i, j]
                    mx[i, j] = T.max(a[i, j], b[i, j])
                    mn[i, j] = T.min(a[i, j], b[i, j])
            T.copy(add, ADD[tm * bm, tn * bn])
            T.copy(sub, SUB[tm * bm, tn * bn])
            T.copy(mul, MUL[tm * bm, tn * bn])
            T.copy(div, DIV[tm * bm, tn * bn])
            T.copy(mx, MAX[tm * bm, tn * bn])
            T.copy(mn, MIN[tm * bm, tn * bn])
    return ADD, SUB, MUL, DIV, MAX, MIN


@tilelang.jit(target="ascend")
def relu_flat(A, bn: int = 2048, dt: str = "float16", nb: int = 4, ns: int = 2):
    L = T.const("L")
    A: T.Tensor((L,), dt)
    C = T.empty((L,), dtype=dt)
    with T.Kernel(nb) as bx:
        a = T.alloc_shared((bn,), dt)
        c = T.alloc_shared((bn,), dt)
        for tile in T.Persistent([T.ceildiv(L, bn)], nb, bx, num_stages=ns):
            T.copy(A[tile * bn], a)
            with T.SimtVF(threads=256):
                for i in T.Parallel(bn):
                    c[i] = T.cast(T.max(T.cast(a[i], "float32"), T.float32(0)), dt)
            T.copy(c, C[tile * bn])
    return C


def load(buffer, i, j, dt):
    """64 elements as float32."""
    if dt == "float32":
        return S.vld(buffer[i, j])
    return S.vcvt(S.vld(buffer[i, j], dist="UNPK_B16"), "float32", part=0)


def store(buffer, i, j, x, dt, mask):
    """64 float32 elements in the buffer's type."""
    if dt == "float32":
        return S.vsts(buffer[i, j], x)
    return S.vsts(buffer[i, j], S.vcvt(x, dt, round="ROUND_R", part=0), mask=mask, dist="PK_B32")


@tilelang.jit(target="ascend")
def unary_simd(A, bm: int = 32, bn: int = 128, dt: str = "float32", nb: int = 4, ns: int = 1):
    M, N = T.const("M, N")
    A: T.Tensor((M, N), dt)
    RELU = T.empty((M, N), dtype=dt)
    SQRT = T.empty((M, N), dtype=dt)
    EXP = T.empty((M, N), dtype=dt)
    SILU = T.empty((M, N), dtype=dt)
    with T.Kernel(nb) as bx:
        a = T.alloc_shared((bm, bn), dt)
        relu = T.alloc_shared((bm, bn), dt)
        sqrt = T.alloc_shared((bm, bn), dt)
        exp = T.alloc_shared((bm, bn), dt)
        silu = T.alloc_shared((bm, bn), dt)
        for tm, tn in T.Persistent([T.ceildiv(M, bm), T.ceildiv(N, bn)], nb, bx, num_stages=ns):
            T.copy(A[tm * bm, tn * bn], a)
            with T.SimdVF():
                for i in T.serial(bm):
                    for j in T.serial(bn // 64):
                        m = S.pset(32)
                        x = load(a, i, j * 64, dt)
                        store(relu, i, j * 64, S.vrelu(x), dt, m)
                        store(sqrt, i, j * 64, S.vsqrt(S.vabs(x)), dt, m)
                        store(exp, i, j * 64, S.vexp(x), dt, m)
                        e = S.vexp(S.vmuls(x, T.float32(-1)))
                        store(silu, i, j * 64, S.vdiv(x, S.vadds(e, T.float32(1))), dt, m)
            T.copy(relu, RELU[tm * bm, tn * bn])
            T.copy(sqrt, SQRT[tm * bm, tn * bn])
            T.copy(exp, EXP[tm * bm, tn * bn])
            T.copy(silu, SILU[tm * bm, tn * bn])
    return RELU, SQRT, EXP, SILU


@tilelang.jit(target="ascend")
def binary_simd(A, B, bm: int = 32, bn: int = 128, dt: str = "float32", nb: int = 4, ns: int = 1):
    M, N = T.const("M, N")
    A: T.Tensor((M, N), dt)
    B: T.Tensor((M, N), dt)
    ADD = T.empty((M, N), dtype=dt)
    SUB = T.empty((M, N), dtype=dt)
    MUL = T.empty((M, N), dtype=dt)
    DIV = T.empty((M, N), dtype=dt)
    MAX = T.empty((M, N), dtype=dt)
    MIN = T.empty((M, N), dtype=dt)
    VL = 64 if dt == "float32" else 128
    dist = "NORM_B32" if dt == "float32" else "NORM_B16"
    with T.Kernel(nb) as bx:
        a = T.alloc_shared((bm, bn), dt)
        b = T.alloc_shared((bm, bn), dt)
        add = T.alloc_shared((bm, bn), dt)
        sub = T.alloc_shared((bm, bn), dt)
        mul = T.alloc_shared((bm, bn), dt)
        div = T.alloc_shared((bm, bn), dt)
        mx = T.alloc_shared((bm, bn), dt)
        mn = T.alloc_shared((bm, bn), dt)
        for tm, tn in T.Persistent([T.ceildiv(M, bm), T.ceildiv(N, bn)], nb, bx, num_stages=ns):
            T.copy(A[tm * bm, tn * bn], a)
            T.copy(B[tm * bm, tn * bn], b)
            with T.SimdVF():
                for i in T.serial(bm):
                    for j in T.serial(bn // VL):
                        x = S.vld(a[i, j * VL])
                        y = S.vld(b[i, j * VL])
                        S.vsts(add[i, j * VL], S.vadd(x, y), dist=dist)
                        S.vsts(sub[i, j * VL], S.vsub(x, y), dist=dist)
                        S.vsts(mul[i, j * VL], S.vmul(x, y), dist=dist)
                        S.vsts(div[i, j * VL], S.vdiv(x, y), dist=dist)
                        S.vsts(mx[i, j * VL], S.vmax(x, y), dist=dist)
                        S.vsts(mn[i, j * VL], S.vmin(x, y), dist=dist)
            T.copy(add, ADD[tm * bm, tn * bn])
            T.copy(sub, SUB[tm * bm, tn * bn])
            T.copy(mul, MUL[tm * bm, tn * bn])
            T.copy(div, DIV[tm * bm, tn * bn])
            T.copy(mx, MAX[tm * bm, tn * bn])
            T.copy(mn, MIN[tm * bm, tn * bn])
    return ADD, SUB, MUL, DIV, MAX, MIN
