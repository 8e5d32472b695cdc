# case: must-not-flag 15
# what: the exponential runs over a whole tile of which three quarters were loaded, and only these are stored
# chip: 910b
# expect: clean
# values: y = np.exp(x) ~ 1e-4

import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1])
def exponential():
    @T.prim_func
    def main(x: T.Tensor((2, 96), "float32"), y: T.Tensor((2, 96), "float32")):
        with T.Kernel(1, is_npu=True) as (_, vid):
            a = T.alloc_ub((1, 128), "float32")
            b = T.alloc_ub((1, 128), "float32")

            with T.Scope("V"):
                T.copy(x[vid : vid + 1, 0:96], a[0:1, 0:96])
                T.set_flag("mte2", "v", 1)
                T.wait_flag("mte2", "v", 1)
                T.tile.exp(b, a)
                T.set_flag("v", "mte3", 1)
                T.wait_flag("v", "mte3", 1)
                T.copy(b[0:1, 0:96], y[vid : vid + 1, 0:96])

    return main
