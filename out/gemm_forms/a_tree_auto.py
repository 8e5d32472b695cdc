"""C[M, N] = A[M, K] @ B[K, N] for M, N, K = 1024, 1024, 1024: TileLang for Ascend 910B, synchronised by its compiler.

Generated from specs/gemm_forms.yaml; to regenerate, run: gen render specs/gemm_forms.yaml
"""

import tilelang
import tilelang.language as T
import torch

M, N, K = 1024, 1024, 1024
TILE_M, TILE_N, TILE_K = 128, 256, 128
N_TILES = 4
TILES = 32
CORES = 24
ROUNDS = 2
STEPS = 8


@tilelang.jit(
    out_idx=[-1],
    pass_configs={
        tilelang.PassConfigKey.TL_ASCEND_AUTO_SYNC: True,
        tilelang.PassConfigKey.TL_ASCEND_MEMORY_PLANNING: True,
    },
)
def gemm_forms():
    @T.prim_func
    def main(
        A: T.Tensor((M, K), "float16"),
        B: T.Tensor((K, N), "float16"),
        C: T.Tensor((M, N), "float16"),
    ):
        with T.Kernel(CORES, is_npu=True) as (cid, _):
            A_l1 = T.alloc_L1((TILE_M, TILE_K), "float16")
            B_l1 = T.alloc_L1((TILE_K, TILE_N), "float16")
            C_l0 = T.alloc_L0C((TILE_M, TILE_N), "float32")

            with T.Scope("C"):
                for i in T.serial(ROUNDS):
                    tile = i * CORES + cid
                    if tile < TILES:
                        m = tile // N_TILES * TILE_M
                        n = tile % N_TILES * TILE_N
                        for k in T.serial(STEPS):
                            T.copy(A[m, k * TILE_K], A_l1)
                            T.copy(B[k * TILE_K, n], B_l1)
                            T.gemm_v0(A_l1, B_l1, C_l0, init=(k == 0))
                        T.copy(C_l0, C[m, n])

    return main


if __name__ == "__main__":
    torch.manual_seed(0)
    A = torch.randn(M, K, dtype=torch.float16, device="npu")
    B = torch.randn(K, N, dtype=torch.float16, device="npu")
    kernel = gemm_forms()
    C = kernel(A, B)
    expected = A.float() @ B.float()
    torch.testing.assert_close(C.float(), expected, rtol=1e-2, atol=1e-2)
    print("gemm_forms passed")
