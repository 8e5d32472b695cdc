# case: facts: successive Mmads
# what: nine fractals a step, and a barrier of the cube between the steps
# twin: small_steps_without_barrier.py
# chip: 910b
# expect: clean
# values: c = 2 * (a.astype(np.float32) @ b.astype(np.float32)) ~ 1e-3

import tilelang
import tilelang.language as T

N = 48


@tilelang.jit(out_idx=[-1])
def twice_the_product():
    @T.prim_func
    def main(
        a: T.Tensor((N, 32), "float16"),
        b: T.Tensor((32, N), "float16"),
        c: T.Tensor((N, N), "float32"),
    ):
        with T.Kernel(1, is_npu=True) as (cid, _):
            a_l1 = T.alloc_L1((N, 32), "float16")
            b_l1 = T.alloc_L1((32, N), "float16")
            a_l0 = T.alloc_L0A((N, 32), "float16")
            b_l0 = T.alloc_L0B((32, N), "float16")
            c_l0 = T.alloc_L0C((N, N), "float32")

            with T.Scope("C"):
                T.copy(a[cid * N, 0], a_l1)
                T.copy(b[0, 0], b_l1)
                T.set_flag("mte2", "mte1", 1)
                T.wait_flag("mte2", "mte1", 1)
                T.copy(a_l1, a_l0)
                T.copy(b_l1, b_l0)
                T.set_flag("mte1", "m", 1)
                T.wait_flag("mte1", "m", 1)
                T.mma(a_l0, b_l0, c_l0, init=True)
                T.pipe_barrier("m")
                T.mma(a_l0, b_l0, c_l0, init=False)
                T.set_flag("m", "fix", 1)
                T.wait_flag("m", "fix", 1)
                T.copy(c_l0, c[cid * N, 0])

    return main
