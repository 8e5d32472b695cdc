# case: must-not-flag 14
# what: M, N and K all end inside a tile; the second AIV may have nothing left to store
# chip: 950
# arg: M=150 N=121 K=87
# expect: clean
# values: C = np.maximum(A @ B.T + bias, 0) ~ 1e-2

import tilelang
import tilelang.ascend.language as T

TILE_M = 64
TILE_N = 64
TILE_K = 32
BLOCKS = 2


@tilelang.jit(target="ascend")
def linear(A, B, bias):
    M, N, K = T.const("M, N, K")
    A: T.Tensor((M, K), T.float16)
    B: T.Tensor((N, K), T.float16)
    bias: T.Tensor((N,), T.float32)
    C = T.empty((M, N), T.float16)

    with T.Kernel(BLOCKS) as core:
        a_l1 = T.alloc_l1((TILE_M, TILE_K), T.float16)
        b_l1 = T.alloc_l1((TILE_N, TILE_K), T.float16)
        c_l0c = T.alloc_l0c((TILE_M, TILE_N), T.float32)
        sum_ub = T.alloc_shared((TILE_M // 2, TILE_N), T.float32)
        bias_ub = T.alloc_shared((TILE_N,), T.float32)
        out_ub = T.alloc_shared((TILE_M // 2, TILE_N), T.float16)
        for mi, ni in T.Persistent([T.ceildiv(M, TILE_M), T.ceildiv(N, TILE_N)], BLOCKS, core):
            m = mi * TILE_M
            n = ni * TILE_N
            for k in T.Pipelined(T.ceildiv(K, TILE_K), num_stages=2):
                T.copy(A[m, k * TILE_K], a_l1)
                T.copy(B[n, k * TILE_K], b_l1)
                T.gemm(a_l1, b_l1, c_l0c, transpose_B=True, clear_accum=(k == 0))
            T.copy(bias[n], bias_ub)
            T.dual_copy(c_l0c, sum_ub)
            with T.SimtVF(threads=256):
                for i, j in T.Parallel(TILE_M // 2, TILE_N):
                    out_ub[i, j] = T.cast(T.max(sum_ub[i, j] + bias_ub[j], T.float32(0)), T.float16)
            T.dual_copy(out_ub, C[m : m + TILE_M, n : n + TILE_N])
    return C
