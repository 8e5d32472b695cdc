# case: must-not-flag 8
# what: a barrier of all pipes after every step is slow and right
# chip: 910b
# expect: clean
# expect auto_sync=off: clean
# values: y = np.maximum(x, 0) + 1

import tilelang
import tilelang.language as T

ROWS = 4


@tilelang.jit(out_idx=[-1])
def shifted_relu():
    @T.prim_func
    def main(x: T.Tensor((2 * ROWS, 256), "float32"), y: T.Tensor((2 * ROWS, 256), "float32")):
        with T.Kernel(1, is_npu=True) as (_, vid):
            a = T.alloc_ub((1, 256), "float32")
            b = T.alloc_ub((1, 256), "float32")

            with T.Scope("V"):
                for r in T.serial(ROWS):
                    T.copy(x[vid * ROWS + r, 0], a)
                    T.barrier_all()
                    T.tile.relu(b, a)
                    T.barrier_all()
                    T.tile.add(b, b, 1.0)
                    T.barrier_all()
                    T.copy(b, y[vid * ROWS + r, 0])
                    T.barrier_all()

    return main
