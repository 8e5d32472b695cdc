# case: product
# what: L1 is read before anything says that it has been filled
# twin: gemm_2_slots.py
# chip: 910b
# expect: race-raw MTE2→MTE1 @a_to_l0

import tilelang
import tilelang.language as T

STAGES, STEPS, TILES, TILE = 2, 5, 2, 32


@tilelang.jit(out_idx=[-1])
def product():
    @T.prim_func
    def main(
        a: T.Tensor((TILES * TILE, STEPS * TILE), "float16"),
        b: T.Tensor((STEPS * TILE, TILE), "float16"),
        c: T.Tensor((TILES * TILE, TILE), "float32"),
    ):
        with T.Kernel(1, is_npu=True) as (cid, _):
            a_l1 = T.alloc_L1((STAGES, TILE, TILE), "float16")
            b_l1 = T.alloc_L1((STAGES, TILE, TILE), "float16")
            a_l0 = T.alloc_L0A((TILE, TILE), "float16")
            b_l0 = T.alloc_L0B((TILE, TILE), "float16")
            c_l0 = T.alloc_L0C((TILE, TILE), "float32")

            with T.Scope("C"):
                for s in T.serial(STAGES):
                    T.set_flag("mte1", "mte2", s)
                T.set_flag("m", "mte1", 0)
                T.set_flag("fix", "m", 0)
                for t in T.serial(TILES):
                    T.wait_flag("fix", "m", 0)
                    for k in T.serial(STEPS):
                        slot = k % STAGES
                        T.wait_flag("mte1", "mte2", slot)
                        T.copy(a[cid * TILE + t * TILE, k * TILE], a_l1[slot, :, :])
                        T.copy(b[k * TILE, 0], b_l1[slot, :, :])
                        T.wait_flag("m", "mte1", 0)
                        T.copy(a_l1[slot, 0, 0], a_l0)  # @a_to_l0
                        T.copy(b_l1[slot, 0, 0], b_l0)
                        T.set_flag("mte1", "mte2", slot)
                        T.set_flag("mte1", "m", 0)
                        T.wait_flag("mte1", "m", 0)
                        T.pipe_barrier("m")
                        T.mma(a_l0, b_l0, c_l0, init=(k == 0))
                        T.set_flag("m", "mte1", 0)
                    T.set_flag("m", "fix", 0)
                    T.wait_flag("m", "fix", 0)
                    T.copy(c_l0, c[cid * TILE + t * TILE, 0])
                    T.set_flag("fix", "m", 0)
                for s in T.serial(STAGES):
                    T.wait_flag("mte1", "mte2", s)
                T.wait_flag("m", "mte1", 0)
                T.wait_flag("fix", "m", 0)

    return main
