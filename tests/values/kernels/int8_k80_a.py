# chip: 910b

import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1])
def int8_k80_a():
    @T.prim_func
    def main(
        a: T.Tensor((16, 80), "int8"),
        b: T.Tensor((16, 80), "int8"),
        c: T.Tensor((16, 16), "int32"),
    ):
        with T.Kernel(1, is_npu=True) as (cid, vid):
            a_l1 = T.alloc_L1((16, 96), "int8")
            b_l1 = T.alloc_L1((16, 96), "int8")
            c_l0 = T.alloc_L0C((16, 16), "int32")

            with T.Scope("C"):
                T.copy(a[0, 0], a_l1)
                T.copy(b[0, 0], b_l1)
                T.gemm_v0(a_l1, b_l1, c_l0, transpose_B=True, init=True)
                T.copy(c_l0, c[0, 0])

    return main
