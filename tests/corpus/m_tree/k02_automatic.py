# case: K02
# what: the same product with a vector epilogue, synchronised by the compiler across the three cores
# chip: 950
# expect: clean
# expect xflag=binary: clean
# values: C = A @ B.T + 1

import tilelang
import tilelang.ascend.language as T

TILE_M = 64
TILE_N = 64
K = 32
TILES = 4


@tilelang.jit(target="ascend")
def product_plus_one(A, B):
    A: T.Tensor((TILES * TILE_M, K), T.float16)
    B: T.Tensor((TILE_N, K), T.float16)
    C = T.empty((TILES * TILE_M, TILE_N), T.float32)

    with T.Kernel(1) as core:
        a_l1 = T.alloc_l1((TILE_M, K), T.float16)
        b_l1 = T.alloc_l1((TILE_N, K), T.float16)
        c_l0c = T.alloc_l0c((TILE_M, TILE_N), T.float32)
        c_ub = T.alloc_shared((TILE_M // 2, TILE_N), T.float32)
        for s in T.Pipelined(TILES, num_stages=2):
            T.copy(A[s * TILE_M, 0], a_l1)
            T.copy(B, b_l1)
            T.gemm(a_l1, b_l1, c_l0c, transpose_B=True, clear_accum=True)
            T.dual_copy(c_l0c, c_ub)
            with T.SimtVF(threads=256):
                for i, j in T.Parallel(TILE_M // 2, TILE_N):
                    c_ub[i, j] = c_ub[i, j] + T.float32(1)
            T.dual_copy(c_ub, C[s * TILE_M : (s + 1) * TILE_M, 0:TILE_N])
    return C
