# case: K08
# what: the flag of L1 is primed, that of L0A is not: the circle is MTE1 and M
# twin: k08_primed_and_drained.py
# chip: 910b
# expect: circular-wait MTE1→M→MTE1 @wait_l0

import tilelang
import tilelang.language as T

STEPS = 4


@tilelang.jit(out_idx=[-1])
def folded_product():
    @T.prim_func
    def main(
        a: T.Tensor((16, STEPS * 16), "float16"),
        b: T.Tensor((16, 16), "float16"),
        c: T.Tensor((16, 16), "float32"),
    ):
        with T.Kernel(1, is_npu=True) as (cid, _):
            a_l1 = T.alloc_L1((16, 16), "float16")
            b_l1 = T.alloc_L1((16, 16), "float16")
            a_l0 = T.alloc_L0A((16, 16), "float16")
            b_l0 = T.alloc_L0B((16, 16), "float16")
            c_l0 = T.alloc_L0C((16, 16), "float32")

            with T.Scope("C"):
                T.copy(b[0, 0], b_l1)
                T.set_flag("mte2", "mte1", 0)
                T.wait_flag("mte2", "mte1", 0)
                T.copy(b_l1, b_l0)
                T.set_flag("mte1", "mte2", 1)
                for k in T.serial(STEPS):
                    T.wait_flag("mte1", "mte2", 1)  # @wait_l1
                    T.copy(a[cid * 16, k * 16], a_l1)  # @load
                    T.set_flag("mte2", "mte1", 1)
                    T.wait_flag("mte2", "mte1", 1)
                    T.wait_flag("m", "mte1", 1)  # @wait_l0
                    T.copy(a_l1, a_l0)  # @to_l0
                    T.set_flag("mte1", "mte2", 1)
                    T.set_flag("mte1", "m", 2)
                    T.wait_flag("mte1", "m", 2)
                    T.pipe_barrier("m")
                    T.mma(a_l0, b_l0, c_l0, init=(k == 0))  # @mma
                    T.set_flag("m", "mte1", 1)
                T.wait_flag("mte1", "mte2", 1)
                T.set_flag("m", "fix", 2)
                T.wait_flag("m", "fix", 2)
                T.copy(c_l0, c[cid * 16, 0])

    return main
