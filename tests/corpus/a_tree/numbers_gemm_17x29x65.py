# case: numbers: GEMM K
# what: one product 17x29x65 of bfloat16: no extent is a whole number of fractals, the rest of each tile is zero
# chip: 910b
# expect: clean
# values: c = a.astype(np.float32) @ b.astype(np.float32) ~ 1e-3

import tilelang
import tilelang.language as T

M, N, K = 17, 29, 65


@tilelang.jit(out_idx=[-1])
def product():
    @T.prim_func
    def main(
        a: T.Tensor((M, K), "bfloat16"),
        b: T.Tensor((K, N), "bfloat16"),
        c: T.Tensor((M, N), "float32"),
    ):
        with T.Kernel(1, is_npu=True) as (cid, _):
            a_l1 = T.alloc_L1((32, 80), "bfloat16")
            b_l1 = T.alloc_L1((80, 32), "bfloat16")
            c_l0 = T.alloc_L0C((32, 32), "float32")

            with T.Scope("C"):
                T.copy(a[cid * M, 0], a_l1)
                T.copy(b[0, 0], b_l1)
                T.gemm_v0(a_l1, b_l1, c_l0, init=True)
                T.copy(c_l0, c[cid * M, 0])

    return main
