# case: facts: flags inside of gemm_v0
# what: a flag with id 0 is out for the second slot while gemm_v0 uses id 0 itself
# twin: ids_beside_gemm_v0.py
# chip: 910b
# expect: flag-set-twice MTE2→MTE1 @held @gemm

import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1])
def product():
    @T.prim_func
    def main(
        a: T.Tensor((32, 64), "float16"),
        b: T.Tensor((64, 32), "float16"),
        c: T.Tensor((32, 32), "float32"),
    ):
        with T.Kernel(1, is_npu=True) as (cid, _):
            a_l1 = T.alloc_L1((2, 32, 32), "float16")
            b_l1 = T.alloc_L1((2, 32, 32), "float16")
            c_l0 = T.alloc_L0C((32, 32), "float32")

            with T.Scope("C"):
                for s in T.serial(2):
                    T.copy(a[cid * 32, s * 32], a_l1[s, :, :])
                    T.copy(b[s * 32, 0], b_l1[s, :, :])
                    T.set_flag("mte2", "mte1", 1 - s)  # @held
                for s in T.serial(2):
                    T.wait_flag("mte2", "mte1", 1 - s)
                    T.gemm_v0(a_l1[s, :, :], b_l1[s, :, :], c_l0, init=(s == 0))  # @gemm
                T.copy(c_l0, c[cid * 32, 0])

    return main
