# case: facts: sizes of the memories
# what: the third buffer ends 96 bytes before UB does, inside of the end that the compiler leaves free
# twin: ub_filled.py
# chip: 910b
# expect: out-of-bounds UB @add

import tilelang
import tilelang.language as T

N = 16376


@tilelang.jit(out_idx=[-1])
def add():
    @T.prim_func
    def main(
        x: T.Tensor((2, N), "float32"),
        y: T.Tensor((2, N), "float32"),
        z: T.Tensor((2, N), "float32"),
    ):
        with T.Kernel(1, is_npu=True) as (_, vid):
            a = T.alloc_ub((N,), "float32")
            b = T.alloc_ub((N,), "float32")
            c = T.alloc_ub((N,), "float32")

            with T.Scope("V"):
                T.copy(x[vid, 0], a)
                T.copy(y[vid, 0], b)
                T.set_flag("mte2", "v", 1)
                T.wait_flag("mte2", "v", 1)
                T.tile.add(c, a, b)  # @add
                T.set_flag("v", "mte3", 1)
                T.wait_flag("v", "mte3", 1)
                T.copy(c, z[vid, 0])  # @store

    return main
