"""Less usual ways of data: UB to L1, stores that add, single elements by the scalar unit, flags written by hand."""

import tilelang
import tilelang.ascend.language as T


@tilelang.jit(target="ascend")
def relu_then_product(A, B, bM: int = 128, bN: int = 128, bK: int = 128, dt: str = "bfloat16"):
    """C = relu(A) B^T: the Vector cores lay A out in NZ and put it into the Cube core's L1."""
    M, N, K = T.const("M, N, K")
    A: T.Tensor((M, K), dt)
    B: T.Tensor((N, K), dt)
    C = T.empty((M, N), dtype="float32")
    with T.Kernel(M // bM) as bx:
        au = T.alloc_shared((bM // 2, bK), dt)
        ru = T.alloc_shared((bM // 2, bK), dt)
        a1 = T.alloc_l1((bM, bK), dt)
        b1 = T.alloc_l1((bN, bK), dt)
        c0 = T.alloc_l0c((bM, bN), "float32")
        T.dual_copy(A[bx * bM : bx * bM + bM, 0:bK], au)
        with T.SimtVF(threads=256):
            for i, j in T.Parallel(bM // 2, bK):
                ru[i, j] = T.cast(T.max(T.cast(au[i, j], "float32"), T.float32(0)), dt)
        T.dual_copy(ru, a1)
        T.copy(B[0:bN, 0:bK], b1)
        T.gemm(a1, b1, c0, transpose_B=True, clear_accum=True)
        T.copy(c0, C[bx * bM, 0])
    return C


@tilelang.jit(target="ascend")
def add_up(A, C, op: str = "add", dt: str = "float32", nb: int = 4):
    """Every block stores its row over the same elements of C, which combine in global memory."""
    N = T.const("N")
    A: T.Tensor((nb, N), dt)
    C: T.Tensor((N,), dt)
    with T.Kernel(nb) as bx:
        a = T.alloc_shared((N,), dt)
        T.copy(A[bx, 0], a)
        T.set_atomic(op, dt)
        T.copy(a, C)
        T.set_atomic_none()


@tilelang.jit(target="ascend")
def single_elements(A, nb: int = 2):
    """No copy at all: the scalar unit reads and writes global memory."""
    N = T.const("N")
    A: T.Tensor((N,), "int32")
    C = T.empty((N,), dtype="int32")
    with T.Kernel(nb) as bx:
        for i in T.serial(N // nb):
            C[bx * (N // nb) + i] = A[bx * (N // nb) + i] * 2 + 1
    return C


@tilelang.jit(target="ascend")
def by_hand(A, B, bM: int = 128, bN: int = 128, bK: int = 64, dt: str = "float16", nb: int = 2):
    """C = relu(A B^T), with the scheduler off: all flags, buffers and the two kinds of cores are the kernel's own."""
    M, N, K = T.const("M, N, K")
    A: T.Tensor((M, K), dt)
    B: T.Tensor((N, K), dt)
    C = T.empty((M, N), dtype="float32")
    with T.Kernel(nb) as bx:
        a1 = T.alloc_l1((2, bM, bK), dt)
        b1 = T.alloc_l1((2, bN, bK), dt)
        c0 = T.alloc_l0c((bM, bN), "float32")
        cu = T.alloc_shared((bM // 2, bN), "float32")
        with T.Cube():
            T.ascend_set_flag("MTE1_MTE2", 0)
            T.ascend_set_flag("MTE1_MTE2", 1)
            for k in T.serial(K // bK):
                T.ascend_wait_flag("MTE1_MTE2", k % 2)
                T.copy(A[bx * bM : bx * bM + bM, k * bK : k * bK + bK], a1[k % 2, :, :])
                T.copy(B[0:bN, k * bK : k * bK + bK], b1[k % 2, :, :])
                T.ascend_set_flag("MTE2_MTE1", k % 2)
                T.ascend_wait_flag("MTE2_MTE1", k % 2)
                T.gemm(a1[k % 2, :, :], b1[k % 2, :, :], c0, transpose_B=True, clear_accum=(k == 0))
                T.ascend_set_flag("MTE1_MTE2", k % 2)
            T.ascend_wait_flag("MTE1_MTE2", 0)
            T.ascend_wait_flag("MTE1_MTE2", 1)
            T.ascend_set_flag("M_FIX", 0)
            T.ascend_wait_flag("M_FIX", 0)
            T.dual_copy(c0, cu)
            T.ascend_cross_core_set_flag(4, "PIPE_FIX", 0)
            T.ascend_cross_core_set_flag(4, "PIPE_FIX", 16)
        with T.Vector() as sid:
            T.ascend_cross_core_wait_flag(4, "PIPE_V", 0)
            with T.SimtVF(threads=256):
                for i, j in T.Parallel(bM // 2, bN):
                    cu[i, j] = T.max(cu[i, j], T.float32(0))
            T.ascend_pipe_barrier("PIPE_ALL")
            row = bx * bM + sid * (bM // 2)
            T.copy(cu, C[row : row + bM // 2, 0:bN])
    return C
