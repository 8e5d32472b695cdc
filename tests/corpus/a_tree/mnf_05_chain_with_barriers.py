# case: must-not-flag 5
# what: the same chain with a barrier of the vector pipe between every two of them
# twin: mnf_05_chain_of_vector_instructions.py
# chip: 910b
# expect: clean
# expect auto_sync=off: clean
# values: y = np.sqrt(x * x + 1) ~ 1e-4

import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1])
def root_of_square():
    @T.prim_func
    def main(x: T.Tensor((2048,), "float32"), y: T.Tensor((2048,), "float32")):
        with T.Kernel(1, is_npu=True) as (_, vid):
            a = T.alloc_ub((1024,), "float32")
            b = T.alloc_ub((1024,), "float32")
            c = T.alloc_ub((1024,), "float32")
            d = T.alloc_ub((1024,), "float32")

            with T.Scope("V"):
                T.copy(x[vid * 1024], a)
                T.set_flag("mte2", "v", 1)
                T.wait_flag("mte2", "v", 1)
                T.tile.mul(b, a, a)
                T.pipe_barrier("v")
                T.tile.add(c, b, 1.0)
                T.pipe_barrier("v")
                T.tile.sqrt(d, c)
                T.set_flag("v", "mte3", 1)
                T.wait_flag("v", "mte3", 1)
                T.copy(d, y[vid * 1024])

    return main
