"""C = relu(A @ B.T + bias): the matrix product on the AIC, the rest on the two AIVs of its block."""

import tilelang
import tilelang.ascend.language as T

BLOCKS = 4
TILE_M = 64
TILE_N = 64
TILE_K = 32


@tilelang.jit(target="ascend")
def gemm_bias_relu(A, B, bias):
    M, N, K = T.const("M, N, K")
    A: T.Tensor((M, K), T.float16)
    B: T.Tensor((N, K), T.float16)
    bias: T.Tensor((N,), T.float16)
    C = T.empty((M, N), T.float16)
    n_tiles = T.ceildiv(N, TILE_N)

    with T.Kernel(BLOCKS) as core:
        A_l1 = T.alloc_l1((TILE_M, TILE_K), T.float16)
        B_l1 = T.alloc_l1((TILE_N, TILE_K), T.float16)
        C_l0c = T.alloc_l0c((TILE_M, TILE_N), T.float32)
        sum_ub = T.alloc_shared((TILE_M // 2, TILE_N), T.float32)
        bias_ub = T.alloc_shared((TILE_N,), T.float16)
        C_ub = T.alloc_shared((TILE_M // 2, TILE_N), T.float16)

        for tile in T.Persistent([T.ceildiv(M, TILE_M) * n_tiles], BLOCKS, core, group_size=1):
            m = tile // n_tiles * TILE_M
            n = tile % n_tiles * TILE_N
            for k in T.Pipelined(T.ceildiv(K, TILE_K), num_stages=2):
                T.copy(A[m, k * TILE_K], A_l1)
                T.copy(B[n, k * TILE_K], B_l1)
                T.gemm(A_l1, B_l1, C_l0c, transpose_B=True, clear_accum=(k == 0))
            T.copy(bias[n], bias_ub)
            T.dual_copy(C_l0c, sum_ub)
            with T.SimtVF(threads=256):
                for i, j in T.Parallel(TILE_M // 2, TILE_N):
                    total = sum_ub[i, j] + T.cast(bias_ub[j], T.float32)
                    C_ub[i, j] = T.cast(T.max(total, 0), T.float16)
            T.dual_copy(C_ub, C[m : m + TILE_M, n : n + TILE_N])
    return C
