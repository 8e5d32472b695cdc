# case: K11
# what: the same three steps, each edge with its set and wait
# twin: k11_no_flags_at_all.py
# chip: 910b
# expect: clean
# expect auto_sync=off: clean
# values: y = 2 * x

import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1])
def double():
    @T.prim_func
    def main(x: T.Tensor((2048,), "float32"), y: T.Tensor((2048,), "float32")):
        with T.Kernel(1, is_npu=True) as (_, vid):
            a = T.alloc_ub((1024,), "float32")
            b = T.alloc_ub((1024,), "float32")

            with T.Scope("V"):
                T.copy(x[vid * 1024], a)
                T.set_flag("mte2", "v", 1)
                T.wait_flag("mte2", "v", 1)
                T.tile.add(b, a, a)
                T.set_flag("v", "mte3", 1)
                T.wait_flag("v", "mte3", 1)
                T.copy(b, y[vid * 1024])

    return main
