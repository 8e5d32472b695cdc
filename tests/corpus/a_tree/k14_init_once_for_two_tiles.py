# case: K14
# what: two tiles are stored, and only the first is initialised: the second continues it
# twin: k14_init_for_each_tile.py
# chip: 910b
# expect: accumulator-not-initialised @gemm

import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1])
def product():
    @T.prim_func
    def main(
        a: T.Tensor((16, 32), "float16"),
        b: T.Tensor((32, 32), "float16"),
        c: T.Tensor((16, 32), "float32"),
    ):
        with T.Kernel(1, is_npu=True) as (cid, _):
            a_l1 = T.alloc_L1((16, 16), "float16")
            b_l1 = T.alloc_L1((16, 16), "float16")
            c_l0 = T.alloc_L0C((16, 16), "float32")

            with T.Scope("C"):
                for j in T.serial(2):
                    for k in T.serial(2):
                        T.copy(a[cid * 16, k * 16], a_l1)
                        T.copy(b[k * 16, j * 16], b_l1)
                        T.gemm_v0(a_l1, b_l1, c_l0, init=T.And(k == 0, j == 0))  # @gemm
                    T.copy(c_l0, c[cid * 16, j * 16])

    return main
