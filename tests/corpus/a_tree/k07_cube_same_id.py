# case: K07
# what: M announces to MTE1 and to FIX with one id while the first flag is still out
# twin: k07_cube_two_ids.py
# chip: 910b
# expect: clean; note flag-set-twice M→FIX @inner
# expect flag_identity=strict: flag-set-twice M→FIX @outer @inner
# values: c = (a[:16] + a[32:]).astype(np.float32) @ b.astype(np.float32) ~ 1e-2
# values: d = a[16:32].astype(np.float32) @ b.astype(np.float32) ~ 1e-3

import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[2, 3])
def products():
    @T.prim_func
    def main(
        a: T.Tensor((48, 16), "float16"),
        b: T.Tensor((16, 16), "float16"),
        c: T.Tensor((16, 16), "float32"),
        d: T.Tensor((16, 16), "float32"),
    ):
        with T.Kernel(1, is_npu=True) as (cid, _):
            a_l1 = T.alloc_L1((3, 16, 16), "float16")
            b_l1 = T.alloc_L1((16, 16), "float16")
            p_l0 = T.alloc_L0A((16, 16), "float16")
            q_l0 = T.alloc_L0A((16, 16), "float16")
            b_l0 = T.alloc_L0B((16, 16), "float16")
            c_l0 = T.alloc_L0C((16, 16), "float32")
            d_l0 = T.alloc_L0C((16, 16), "float32")

            with T.Scope("C"):
                for i in T.serial(3):
                    T.copy(a[cid * 48 + i * 16, 0], a_l1[i, :, :])
                T.copy(b[0, 0], b_l1)
                T.set_flag("mte2", "mte1", 1)
                T.wait_flag("mte2", "mte1", 1)
                T.copy(a_l1[0, 0, 0], p_l0)
                T.copy(a_l1[1, 0, 0], q_l0)
                T.copy(b_l1, b_l0)
                T.set_flag("mte1", "m", 1)
                T.wait_flag("mte1", "m", 1)
                T.mma(p_l0, b_l0, c_l0, init=True)
                T.set_flag("m", "mte1", 1)  # @outer
                T.mma(q_l0, b_l0, d_l0, init=True)  # @mma
                T.set_flag("m", "fix", 1)  # @inner
                T.wait_flag("m", "fix", 1)
                T.copy(d_l0, d[cid * 16, 0])  # @fixpipe
                T.wait_flag("m", "mte1", 1)
                T.copy(a_l1[2, 0, 0], p_l0)
                T.set_flag("mte1", "m", 1)
                T.wait_flag("mte1", "m", 1)
                T.pipe_barrier("m")
                T.mma(p_l0, b_l0, c_l0, init=False)
                T.set_flag("m", "fix", 3)
                T.wait_flag("m", "fix", 3)
                T.copy(c_l0, c[cid * 16, 0])

    return main
