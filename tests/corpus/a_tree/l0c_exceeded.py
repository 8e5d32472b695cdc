# case: facts: sizes of the memories
# what: an accumulator of 256 KiB in an L0C of 128
# twin: l0c_filled.py
# chip: 910b
# expect: out-of-bounds L0C @gemm

import tilelang
import tilelang.language as T

TILE_M, TILE_N, TILE_K = 128, 512, 32


@tilelang.jit(out_idx=[-1])
def product():
    @T.prim_func
    def main(
        a: T.Tensor((128, 32), "float16"),
        b: T.Tensor((32, 512), "float16"),
        c: T.Tensor((128, 512), "float32"),
    ):
        with T.Kernel(1, is_npu=True) as (cid, _):
            a_l1 = T.alloc_L1((128, 32), "float16")
            b_l1 = T.alloc_L1((32, 512), "float16")
            c_l0 = T.alloc_L0C((TILE_M, TILE_N), "float32")

            with T.Scope("C"):
                tile = cid
                m = tile // 1 * TILE_M
                n = tile % 1 * TILE_N
                for k in T.serial(1):
                    T.copy(a[m, k * TILE_K], a_l1)
                    T.copy(b[k * TILE_K, n], b_l1)
                    T.gemm_v0(a_l1, b_l1, c_l0, init=(k == 0))  # @gemm
                T.copy(c_l0, c[m, n])  # @store

    return main
