# case: must-not-flag 14
# what: M, N and K all end inside a tile: missing rows and columns of the L1 tiles are filled with zeros
# chip: 950
# arg: M=33 N=127 K=47
# expect: clean
# values: C = A @ B.T

import tilelang
import tilelang.ascend.language as T

BLOCKS = 4
TILE_M = 32
TILE_N = 64
TILE_K = 32


@tilelang.jit(target="ascend")
def product(A, B):
    M, N, K = T.const("M, N, K")
    A: T.Tensor((M, K), T.float16)
    B: T.Tensor((N, K), T.float16)
    C = T.empty((M, N), T.float32)

    with T.Kernel(BLOCKS) as core:
        a_l1 = T.alloc_l1((TILE_M, TILE_K), T.float16)
        b_l1 = T.alloc_l1((TILE_N, TILE_K), T.float16)
        c_l0c = T.alloc_l0c((TILE_M, TILE_N), T.float32)
        for m, n in T.Persistent([T.ceildiv(M, TILE_M), T.ceildiv(N, TILE_N)], BLOCKS, core):
            for k in T.Pipelined(T.ceildiv(K, TILE_K), num_stages=2):
                T.copy(A[m * TILE_M, k * TILE_K], a_l1)
                T.copy(B[n * TILE_N, k * TILE_K], b_l1)
                T.gemm(a_l1, b_l1, c_l0c, transpose_B=True, clear_accum=(k == 0))
            T.copy(c_l0c, C[m * TILE_M, n * TILE_N])
    return C
