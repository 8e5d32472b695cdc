"""Matrix products: A is [M, K], B is [N, K] or [K, N] as each kernel says, C is [M, N]."""

import tilelang
import tilelang.ascend.language as T


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
    acc: str = "float32",
    hf32: str = "",
):
    """C[M, N] = A[M, K] B[N, K]^T; `hf32` is a way to round floats before they are multiplied."""
    M, N, K = T.const("M, N, K")
    A: T.Tensor((M, K), dt)
    B: T.Tensor((N, K), dt)
    C = T.empty((M, N), dtype=odt)
    with T.Kernel(nb) as bx:
        if hf32:
            T.set_hf32_mode(hf32)
        a1 = T.alloc_l1((bM, bK), dt)
        b1 = T.alloc_l1((bN, bK), dt)
        c0 = T.alloc_l0c((bM, bN), acc)
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
