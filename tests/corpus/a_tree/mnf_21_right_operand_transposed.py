# case: must-not-flag 21
# what: the right operand comes as [N, K] and is turned round between L1 and L0B
# twin: mnf_21_right_operand_as_stored.py
# chip: 910b
# expect: clean
# values: c = a.astype(np.float32) @ b.astype(np.float32).T ~ 1e-3

import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1])
def product():
    @T.prim_func
    def main(
        a: T.Tensor((32, 64), "float16"),
        b: T.Tensor((48, 64), "float16"),
        c: T.Tensor((32, 48), "float32"),
    ):
        with T.Kernel(1, is_npu=True) as (cid, _):
            a_l1 = T.alloc_L1((32, 64), "float16")
            b_l1 = T.alloc_L1((48, 64), "float16")
            a_l0 = T.alloc_L0A((32, 64), "float16")
            b_l0 = T.alloc_L0B((64, 48), "float16")
            c_l0 = T.alloc_L0C((32, 48), "float32")

            with T.Scope("C"):
                T.copy(a[cid * 32, 0], a_l1)
                T.copy(b[0, 0], b_l1)
                T.set_flag("mte2", "mte1", 1)
                T.wait_flag("mte2", "mte1", 1)
                T.copy(a_l1, a_l0)
                T.copy(b_l1, b_l0, transpose=True)
                T.set_flag("mte1", "m", 1)
                T.wait_flag("mte1", "m", 1)
                T.mma(a_l0, b_l0, c_l0, init=True)
                T.set_flag("m", "fix", 1)
                T.wait_flag("m", "fix", 1)
                T.copy(c_l0, c[cid * 32, 0])

    return main
