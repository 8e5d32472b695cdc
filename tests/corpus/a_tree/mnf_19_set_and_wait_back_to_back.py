# case: must-not-flag 19
# what: every flag is waited for in the next line: a one-shot fence, which leaves no overlap and no hazard
# chip: 910b
# expect: clean
# values: z = x * y

import tilelang
import tilelang.language as T

TILES = 3


@tilelang.jit(out_idx=[-1])
def product():
    @T.prim_func
    def main(
        x: T.Tensor((2 * TILES, 256), "float32"),
        y: T.Tensor((2 * TILES, 256), "float32"),
        z: T.Tensor((2 * TILES, 256), "float32"),
    ):
        with T.Kernel(1, is_npu=True) as (_, vid):
            a = T.alloc_ub((1, 256), "float32")
            b = T.alloc_ub((1, 256), "float32")

            with T.Scope("V"):
                for i in T.serial(TILES):
                    T.copy(x[vid * TILES + i, 0], a)
                    T.copy(y[vid * TILES + i, 0], b)
                    T.set_flag("mte2", "v", 1)
                    T.wait_flag("mte2", "v", 1)
                    T.tile.mul(a, a, b)
                    T.set_flag("v", "mte3", 1)
                    T.wait_flag("v", "mte3", 1)
                    T.copy(a, z[vid * TILES + i, 0])
                    T.set_flag("mte3", "mte2", 1)
                    T.wait_flag("mte3", "mte2", 1)
                    T.set_flag("v", "mte2", 1)
                    T.wait_flag("v", "mte2", 1)

    return main
