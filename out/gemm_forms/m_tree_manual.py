"""C[M, N] = A[M, K] @ B[K, N] for M, N, K = 1024, 1024, 1024: TileLang for Ascend 950, synchronised by hand.

Generated from specs/gemm_forms.yaml; to regenerate, run: gen render specs/gemm_forms.yaml
"""

import tilelang
import tilelang.ascend.language as T
import torch

BLOCKS = 32
TILE_M = 128
TILE_N = 256
TILE_K = 128
STAGES = 2


@tilelang.jit(target="ascend", pass_configs={tilelang.PassConfigKey.TL_ENABLE_AUTO_SCHEDULE: False})
def gemm_forms(A, B):
    M, N, K = T.const("M, N, K")
    A: T.Tensor((M, K), T.float16)
    B: T.Tensor((K, N), T.float16)
    C = T.empty((M, N), T.float16)
    n_tiles = T.ceildiv(N, TILE_N)
    k_tiles = T.ceildiv(K, TILE_K)

    with T.Kernel(BLOCKS) as core:
        A_l1 = T.alloc_l1((STAGES, TILE_M, TILE_K), T.float16)
        B_l1 = T.alloc_l1((STAGES, TILE_N, TILE_K), T.float16)
        C_l0c = T.alloc_l0c((TILE_M, TILE_N), T.float32)

        for s in T.serial(STAGES):
            T.ascend_set_flag("MTE1_MTE2", s)

        m = core // n_tiles * TILE_M
        n = core % n_tiles * TILE_N
        for k in T.serial(k_tiles):
            slot = k % STAGES
            T.ascend_wait_flag("MTE1_MTE2", slot)
            T.copy(A[m : m + TILE_M, k * TILE_K : (k + 1) * TILE_K], A_l1[slot, :, :])
            T.copy(
                B[k * TILE_K : (k + 1) * TILE_K, n : n + TILE_N],
                B_l1[slot, 0:TILE_N, 0:TILE_K],
                transpose=True,
            )
            T.ascend_set_flag("MTE2_MTE1", slot)
            T.ascend_wait_flag("MTE2_MTE1", slot)
            T.gemm(
                A_l1[slot, :, :], B_l1[slot, :, :], C_l0c, transpose_B=True, clear_accum=(k == 0)
            )
            T.ascend_set_flag("MTE1_MTE2", slot)
        T.ascend_set_flag("M_FIX", 0)
        T.ascend_wait_flag("M_FIX", 0)
        T.copy(C_l0c, C[m, n])

        for s in T.serial(STAGES):
            T.ascend_wait_flag("MTE1_MTE2", s)
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
