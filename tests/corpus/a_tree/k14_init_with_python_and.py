# case: K14
# what: Python's `and` keeps only one of the two conditions, and the second step starts afresh
# twin: k14_init_in_first_step.py
# chip: 910b
# expect: accumulator-initialised-twice @gemm

import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1])
def product():
    @T.prim_func
    def main(
        a: T.Tensor((16, 64), "float16"),
        b: T.Tensor((64, 16), "float16"),
        c: T.Tensor((16, 16), "float32"),
    ):
        with T.Kernel(1, is_npu=True) as (cid, _):
            a_l1 = T.alloc_L1((16, 16), "float16")
            b_l1 = T.alloc_L1((16, 16), "float16")
            c_l0 = T.alloc_L0C((16, 16), "float32")

            with T.Scope("C"):
                for k in T.serial(2):
                    for j in T.serial(2):
                        T.copy(a[cid * 16, (k * 2 + j) * 16], a_l1)
                        T.copy(b[(k * 2 + j) * 16, 0], b_l1)
                        T.gemm_v0(a_l1, b_l1, c_l0, init=(k == 0 and j == 0))  # @gemm
                T.copy(c_l0, c[cid * 16, 0])

    return main
