# case: transposition
# what: B[K, N] is turned over on its way into L1; K ends inside a tile
# chip: 950
# expect: clean
# values: C = A @ B

import tilelang
import tilelang.ascend.language as T

M = 48
N = 80
K = 112
TILE_N = 16
TILE_K = 64


@tilelang.jit(target="ascend")
def product(A, B):
    A: T.Tensor((M, K), T.float16)
    B: T.Tensor((K, N), T.float16)
    C = T.empty((M, N), T.float32)

    with T.Kernel(N // TILE_N) as core:
        a_l1 = T.alloc_l1((M, TILE_K), T.float16)
        b_l1 = T.alloc_l1((TILE_N, TILE_K), T.float16)
        c_l0c = T.alloc_l0c((M, TILE_N), T.float32)
        for k in T.Pipelined(T.ceildiv(K, TILE_K), num_stages=2):
            T.copy(A[0, k * TILE_K], a_l1)
            T.copy(
                B[k * TILE_K : (k + 1) * TILE_K, core * TILE_N : (core + 1) * TILE_N],
                b_l1[0:TILE_N, 0:TILE_K],
                transpose=True,
            )
            T.gemm(a_l1, b_l1, c_l0c, transpose_B=True, clear_accum=(k == 0))
        T.copy(c_l0c, C[0, core * TILE_N])
    return C
