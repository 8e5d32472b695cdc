# case: facts: K tails
# what: a slot of a staged L1 buffer is not cleared before a short copy: what lies there enters the product
# twin: short_k_in_single_l1.py
# chip: 910b
# expect: uninitialised-read

import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1])
def product():
    @T.prim_func
    def main(
        a: T.Tensor((32, 40), "float16"),
        b: T.Tensor((40, 32), "float16"),
        c: T.Tensor((32, 32), "float32"),
    ):
        with T.Kernel(1, is_npu=True) as (cid, _):
            a_l1 = T.alloc_L1((2, 32, 32), "float16")
            b_l1 = T.alloc_L1((2, 32, 32), "float16")
            c_l0 = T.alloc_L0C((32, 32), "float32")

            with T.Scope("C"):
                for k in T.serial(2):
                    T.copy(a[cid * 32, k * 32], a_l1[k, :, :])
                    T.copy(b[k * 32, 0], b_l1[k, :, :])
                    T.gemm_v0(a_l1[k, :, :], b_l1[k, :, :], c_l0, init=(k == 0))
                T.copy(c_l0, c[cid * 32, 0])

    return main
