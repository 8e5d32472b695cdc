# case: numbers: norm
# what: five negative numbers in a row of eight: the padding must not win
# chip: 910b
# expect: clean
# values: y = (-np.abs(x)).max(1)

import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1])
def largest():
    @T.prim_func
    def main(x: T.Tensor((16, 5), "float32"), y: T.Tensor((16,), "float32")):
        with T.Kernel(1, is_npu=True) as (_, vid):
            a = T.alloc_ub((8, 8), "float32")
            m = T.alloc_ub((8,), "float32")

            with T.Scope("V"):
                T.copy(x[vid * 8, 0], a, pad_value=T.infinity("float32"))
                T.set_flag("mte2", "v", 1)
                T.wait_flag("mte2", "v", 1)
                T.tile.abs(a, a)
                T.pipe_barrier("v")
                T.tile.mul(a, a, -1.0)
                T.pipe_barrier("v")
                T.reduce_max(a, m, dim=-1)
                T.set_flag("v", "mte3", 1)
                T.wait_flag("v", "mte3", 1)
                T.copy(m, y[vid * 8])

    return main
