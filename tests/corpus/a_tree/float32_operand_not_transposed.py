# case: facts: float32 operands
# what: a float32 operand stored [K, N] would have to be turned round on its way to L0B, which this chip cannot
# twin: float32_operand_transposed.py
# chip: 910b
# expect: argument-range @gemm

import tilelang
import tilelang.language as T

TILE_M, TILE_N, TILE_K = 32, 32, 32


@tilelang.jit(out_idx=[-1])
def product():
    @T.prim_func
    def main(
        a: T.Tensor((32, 32), "float32"),
        b: T.Tensor((32, 32), "float32"),
        c: T.Tensor((32, 32), "float32"),
    ):
        with T.Kernel(1, is_npu=True) as (cid, _):
            a_l1 = T.alloc_L1((32, 32), "float32")
            b_l1 = T.alloc_L1((32, 32), "float32")
            c_l0 = T.alloc_L0C((TILE_M, TILE_N), "float32")

            with T.Scope("C"):
                tile = cid
                m = tile // 1 * TILE_M
                n = tile % 1 * TILE_N
                for k in T.serial(1):
                    T.copy(a[m, k * TILE_K], a_l1)
                    T.copy(b[k * TILE_K, n], b_l1)
                    T.gemm_v0(a_l1, b_l1, c_l0, init=(k == 0))  # @gemm
                T.copy(c_l0, c[m, n])

    return main
