# case: must-not-flag 4
# what: the left operand is stored [K, M] and gemm_v0 transposes it on the way to L0A
# chip: 910b
# expect: clean
# values: c = a.astype(np.float32).T @ b.astype(np.float32) ~ 1e-3

import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1])
def product():
    @T.prim_func
    def main(
        a: T.Tensor((64, 32), "float16"),
        b: T.Tensor((64, 48), "float16"),
        c: T.Tensor((32, 48), "float32"),
    ):
        with T.Kernel(1, is_npu=True) as (cid, _):
            a_l1 = T.alloc_L1((64, 32), "float16")
            b_l1 = T.alloc_L1((64, 48), "float16")
            c_l0 = T.alloc_L0C((32, 48), "float32")

            with T.Scope("C"):
                T.copy(a[0, cid * 32], a_l1)
                T.copy(b[0, 0], b_l1)
                T.gemm_v0(a_l1, b_l1, c_l0, transpose_A=True, init=True)
                T.copy(c_l0, c[cid * 32, 0])

    return main
