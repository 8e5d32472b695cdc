"""What threads of a SIMT function can do beyond arithmetic."""

import tilelang
import tilelang.ascend.language as T


@tilelang.jit(target="ascend")
def global_memory(A, nb: int = 2):
    """Threads read and write global memory themselves."""
    M, N = T.const("M, N")
    A: T.Tensor((M, N), "float32")
    C = T.empty((M, N), dtype="float32")
    with T.Kernel(nb) as bx:
        with T.SimtVF(threads=128):
            for i, j in T.Parallel(M // nb, N):
                row = bx * (M // nb) + i
                C[row, j] = A[row, j] + T.float32(1)
    return C


@tilelang.jit(target="ascend")
def warps(A):
    """Rows of C: max, min, sum, ballot, active lanes, sum of the even lanes, neighbour, lane 5."""
    A: T.Tensor((64,), "float32")
    C = T.empty((8, 64), dtype="float32")
    with T.Kernel(1) as bx:
        a = T.alloc_shared((64,), "float32")
        c = T.alloc_shared((8, 64), "float32")
        T.copy(A, a)
        with T.SimtVF(threads=64):
            tx = T.get_thread_binding()
            v = T.alloc_var("float32")
            v = a[tx]
            c[0, tx] = T.warp_reduce_max(v)
            c[1, tx] = T.warp_reduce_min(v)
            c[2, tx] = T.warp_reduce_sum(v)
            c[3, tx] = T.cast(T.ballot(a[tx] > T.float32(0)), "float32")
            c[4, tx] = T.cast(T.activemask(), "float32")
            T.sync_warp()
            c[5, tx] = T.float32(0)
            if tx % 2 == 0:
                c[5, tx] = T.warp_reduce_sum(v)
            c[6, tx] = T.call_extern("float32", "asc_shfl_xor", v, 1)
            c[7, tx] = T.call_extern("float32", "asc_shfl", v, 5)
        T.copy(c, C)
    return C


@tilelang.jit(target="ascend")
def atomics(A, S, nb: int = 4):
    """Every block adds its numbers to S, in global memory, and to a buffer of its own."""
    A: T.Tensor((nb * 256,), "float32")
    S: T.Tensor((8,), "float32")
    C = T.empty((nb, 8), dtype="float32")
    with T.Kernel(nb) as bx:
        a = T.alloc_shared((256,), "float32")
        c = T.alloc_shared((8,), "float32")
        T.copy(A[bx * 256], a)
        with T.SimtVF(threads=256):
            tx = T.get_thread_binding()
            if tx < 8:
                c[tx] = T.float32(0)
            T.sync_threads()
            T.atomic_add(c[tx % 8], a[tx])
            T.atomic_add(S[tx % 8], a[tx])
        T.copy(c, C[bx, 0])
    return C


@tilelang.jit(target="ascend")
def float8(A, dt: str = "float8_e4m3fn"):
    """To 8-bit floats and back."""
    M, N = T.const("M, N")
    A: T.Tensor((M, N), "float32")
    C = T.empty((M, N), dtype="float32")
    with T.Kernel(1) as bx:
        a = T.alloc_shared((M, N), "float32")
        b = T.alloc_shared((M, N), dt)
        c = T.alloc_shared((M, N), "float32")
        T.copy(A, a)
        with T.SimtVF(threads=256):
            for i, j in T.Parallel(M, N):
                b[i, j] = T.cast(a[i, j], dt)
            for i, j in T.Parallel(M, N):
                c[i, j] = T.cast(b[i, j], "float32")
        T.copy(c, C)
    return C


@tilelang.jit(target="ascend")
def random(seed: int = 42):
    C = T.empty((4, 256), dtype="float32")
    with T.Kernel(1) as bx:
        c = T.alloc_shared((4, 256), "float32")
        with T.SimtVF(threads=256):
            tx = T.get_thread_binding()
            T.rng_init(seed)
            for i in T.serial(4):
                c[i, tx] = T.rng_rand_float()
        T.copy(c, C)
    return C


@tilelang.jit(target="ascend")
def half_reduction(A):
    """The template falls back to a serial loop in UB: half has no warp reduction there."""
    M, N = T.const("M, N")
    A: T.Tensor((M, N), "float16")
    C = T.empty((M, 16), dtype="float16")
    with T.Kernel(1) as bx:
        a = T.alloc_shared((M, N), "float16")
        c = T.alloc_shared((M, 16), "float16")
        T.copy(A, a)
        with T.SimtVF(threads=128):
            f = T.alloc_fragment((M, N), "float16")
            s = T.alloc_fragment((M,), "float16")
            for i, j in T.Parallel(M, N):
                f[i, j] = a[i, j]
            T.reduce_max(f, s, dim=1)
            for i, j in T.Parallel(M, 16):
                c[i, j] = s[i]
        T.copy(c, C)
    return C


@tilelang.jit(target="ascend")
def rows_by_index(A, I):
    """The scalar unit reads an index and the copy starts there."""
    A: T.Tensor((64, 128), "float32")
    I: T.Tensor((8,), "int32")
    C = T.empty((8, 128), dtype="float32")
    with T.Kernel(1) as bx:
        a = T.alloc_shared((1, 128), "float32")
        for r in T.serial(8):
            T.copy(A[I[r], 0], a)
            T.copy(a, C[r, 0])
    return C


@tilelang.jit(target="ascend")
def padded(A):
    M, N = T.const("M, N")
    A: T.Tensor((M, N), "float16")
    C = T.empty((M, 64), dtype="float16")
    with T.Kernel(1) as bx:
        a = T.alloc_shared((M, 64), "float16")
        T.copy(A[0:M, 0:N], a[:, 0:N], pad_value=1.5)
        T.copy(a, C)
    return C


@tilelang.jit(target="ascend")
def three_dimensions(A):
    """A block of 32 x 4 x 2 threads: each adds to its element of A what its coordinates say."""
    A: T.Tensor((8, 32), "float32")
    C = T.empty((8, 32), dtype="float32")
    with T.Kernel(1) as bx:
        a = T.alloc_shared((8, 32), "float32")
        c = T.alloc_shared((8, 32), "float32")
        T.copy(A, a)
        with T.SimtVF(threads=(32, 4, 2)):
            tx, ty, tz = T.get_thread_bindings()
            c[tz * 4 + ty, tx] = a[tz * 4 + ty, tx] + T.cast(tz * 1000 + ty * 100 + tx, "float32")
        T.copy(c, C)
    return C
