# case: facts: cube tiles outside of the tensor
# what: blocks without a tile do nothing
# twin: cube_tile_past_the_end.py
# chip: 910b
# expect: clean
# values: c = a.astype(np.float32) @ b.astype(np.float32) ~ 1e-3

import tilelang
import tilelang.language as T

TILE_M, TILE_N, TILE_K = 32, 32, 32


@tilelang.jit(out_idx=[-1])
def product():
    @T.prim_func
    def main(
        a: T.Tensor((64, 64), "float16"),
        b: T.Tensor((64, 32), "float16"),
        c: T.Tensor((64, 32), "float32"),
    ):
        with T.Kernel(3, is_npu=True) as (cid, _):
            a_l1 = T.alloc_L1((32, 32), "float16")
            b_l1 = T.alloc_L1((32, 32), "float16")
            c_l0 = T.alloc_L0C((TILE_M, TILE_N), "float32")

            with T.Scope("C"):
                tile = cid
                if tile < 2:
                    m = tile // 1 * TILE_M
                    n = tile % 1 * TILE_N
                    for k in T.serial(2):
                        T.copy(a[m, k * TILE_K], a_l1)
                        T.copy(b[k * TILE_K, n], b_l1)
                        T.gemm_v0(a_l1, b_l1, c_l0, init=(k == 0))
                    T.copy(c_l0, c[m, n])

    return main
