# case: K05
# what: a V→V flag behind a load orders nothing on 910B, where it is legal: superfluous, not wrong
# chip: 910b
# expect: note sync-redundant V→V @fence
# values: y = 2 * x

import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1])
def double():
    @T.prim_func
    def main(x: T.Tensor((128,), "float32"), y: T.Tensor((128,), "float32")):
        with T.Kernel(1, is_npu=True) as (_, vid):
            a = T.alloc_ub((64,), "float32")
            b = T.alloc_ub((64,), "float32")

            with T.Scope("V"):
                T.copy(x[vid * 64], a)
                T.set_flag("mte2", "v", 1)
                T.wait_flag("mte2", "v", 1)
                T.set_flag("v", "v", 1)
                T.wait_flag("v", "v", 1)  # @fence
                T.tile.add(b, a, a)
                T.set_flag("v", "mte3", 1)
                T.wait_flag("v", "mte3", 1)
                T.copy(b, y[vid * 64])

    return main
