# case: facts: sizes of the memories
# what: gemm_v0 splits K = 256 into two halves of 64 KiB each, and L0B has 64
# twin: l0c_filled.py
# chip: 910b
# expect: out-of-bounds L0B @gemm

import tilelang
import tilelang.language as T

TILE_M, TILE_N, TILE_K = 32, 256, 256


@tilelang.jit(out_idx=[-1])
def product():
    @T.prim_func
    def main(
        a: T.Tensor((32, 256), "float16"),
        b: T.Tensor((256, 256), "float16"),
        c: T.Tensor((32, 256), "float32"),
    ):
        with T.Kernel(1, is_npu=True) as (cid, _):
            a_l1 = T.alloc_L1((32, 256), "float16")
            b_l1 = T.alloc_L1((256, 256), "float16")
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
