"""C[M, N] = A[M, K] @ B[K, N] for M, N, K = 1024, 1024, 1024: TileLang for Ascend 950.

Generated from specs/gemm_forms.yaml; to regenerate, run: gen render specs/gemm_forms.yaml
"""

import tilelang
import tilelang.ascend.language as T
import torch

BLOCKS = 32
TILE_M = 128
TILE_N = 256
TILE_K = 128


@tilelang.jit(target="ascend")
def gemm_forms(A, B):
    M, N, K = T.const("M, N, K")
    A: T.Tensor((M, K), T.float16)
    B: T.Tensor((K, N), T.float16)
    C = T.empty((M, N), T.float16)
    n_tiles = T.ceildiv(N, TILE_N)

    with T.Kernel(BLOCKS) as core:
        A_l1 = T.alloc_l1((TILE_M, TILE_K), T.float16)
        B_l1 = T.alloc_l1((TILE_N, TILE_K), T.float16)
        C_l0c = T.alloc_l0c((TILE_M, TILE_N), T.float32)
        T.annotate_buffer_versions({A_l1: 2, B_l1: 2})

        for tile in T.Persistent([T.ceildiv(M, TILE_M) * n_tiles], BLOCKS, core, group_size=1):
            m = tile // n_tiles * TILE_M
            n = tile % n_tiles * TILE_N
            for k in T.Pipelined(T.ceildiv(K, TILE_K), num_stages=2):
                T.copy(A[m, k * TILE_K], A_l1)
                T.copy(
                    B[k * TILE_K : (k + 1) * TILE_K, n : n + TILE_N],
                    B_l1[0:TILE_N, 0:TILE_K],
                    transpose=True,
                )
                T.gemm(A_l1, B_l1, C_l0c, transpose_B=True, clear_accum=(k == 0))
            T.copy(C_l0c, C[m, n])
    return C


if __name__ == "__main__":
    torch.manual_seed(0)
    M, N, K = 1024, 1024, 1024
    A = torch.randn(M, K, dtype=torch.float16, device="npu")
    B = torch.randn(K, N, dtype=torch.float16, device="npu")
    C = gemm_forms(A, B)
    expected = A.float() @ B.float()
    torch.testing.assert_close(C.float(), expected, rtol=1e-2, atol=1e-2)
    print("gemm_forms passed")
