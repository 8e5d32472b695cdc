# case: must-not-flag 11
# what: every extent is a whole number of tiles: K = 256 in steps of 128 and rows of 128 elements
# chip: 910b
# expect: clean
# values: c = a.astype(np.float32) @ b.astype(np.float32) ~ 1e-3

import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1])
def product():
    @T.prim_func
    def main(
        a: T.Tensor((64, 256), "float16"),
        b: T.Tensor((256, 128), "float16"),
        c: T.Tensor((64, 128), "float32"),
    ):
        with T.Kernel(2, is_npu=True) as (cid, _):
            a_l1 = T.alloc_L1((32, 256), "float16")
            b_l1 = T.alloc_L1((256, 128), "float16")
            c_l0 = T.alloc_L0C((32, 128), "float32")

            with T.Scope("C"):
                T.copy(a[cid * 32, 0], a_l1)
                T.copy(b[0, 0], b_l1)
                T.gemm_v0(a_l1, b_l1, c_l0, init=True)
                T.copy(c_l0, c[cid * 32, 0])

    return main
