# case: K09
# what: an element as scalar operand: the compiler puts a barrier of all pipes before it reads the element
# chip: 910b
# expect: clean
# expect auto_sync=off: clean
# values: y = x * x[:, :1]

import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1])
def scale_by_first():
    @T.prim_func
    def main(x: T.Tensor((2, 64), "float32"), y: T.Tensor((2, 64), "float32")):
        with T.Kernel(1, is_npu=True) as (_, vid):
            a = T.alloc_ub((64,), "float32")
            b = T.alloc_ub((64,), "float32")

            with T.Scope("V"):
                T.copy(x[vid, 0], a)
                T.set_flag("mte2", "v", 1)
                T.wait_flag("mte2", "v", 1)
                T.tile.mul(b, a, a[0])
                T.set_flag("v", "mte3", 1)
                T.wait_flag("v", "mte3", 1)
                T.copy(b, y[vid, 0])

    return main
