# case: must-not-flag 7
# what: two products into one accumulator, each initialising it: the second only writes, the first was stored
# chip: 910b
# expect: clean
# values: c = a[:32].astype(np.float32) @ b.astype(np.float32) ~ 1e-3
# values: d = a[32:].astype(np.float32) @ b.astype(np.float32) ~ 1e-3

import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[2, 3])
def products():
    @T.prim_func
    def main(
        a: T.Tensor((64, 32), "float16"),
        b: T.Tensor((32, 64), "float16"),
        c: T.Tensor((32, 64), "float32"),
        d: T.Tensor((32, 64), "float32"),
    ):
        with T.Kernel(1, is_npu=True) as (cid, _):
            a_l1 = T.alloc_L1((2, 32, 32), "float16")
            b_l1 = T.alloc_L1((32, 64), "float16")
            a_l0 = T.alloc_L0A((2, 32, 32), "float16")
            b_l0 = T.alloc_L0B((32, 64), "float16")
            c_l0 = T.alloc_L0C((32, 64), "float32")

            with T.Scope("C"):
                for i in T.serial(2):
                    T.copy(a[cid * 64 + i * 32, 0], a_l1[i, :, :])
                T.copy(b[0, 0], b_l1)
                T.set_flag("mte2", "mte1", 1)
                T.wait_flag("mte2", "mte1", 1)
                T.copy(a_l1[0, 0, 0], a_l0[0, :, :])
                T.copy(a_l1[1, 0, 0], a_l0[1, :, :])
                T.copy(b_l1, b_l0)
                T.set_flag("mte1", "m", 1)
                T.wait_flag("mte1", "m", 1)
                T.mma(a_l0[0, :, :], b_l0, c_l0, init=True)
                T.set_flag("m", "fix", 1)
                T.wait_flag("m", "fix", 1)
                T.copy(c_l0, c[cid * 32, 0])
                T.set_flag("fix", "m", 1)
                T.wait_flag("fix", "m", 1)
                T.mma(a_l0[1, :, :], b_l0, c_l0, init=True)
                T.set_flag("m", "fix", 1)
                T.wait_flag("m", "fix", 1)
                T.copy(c_l0, d[cid * 32, 0])

    return main
