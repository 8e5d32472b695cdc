# case: issue: outputs covered once
# what: groups of three visit all nine rows of tiles
# twin: persistent_group_loses_tiles.py
# chip: 910b
# expect: clean
# values: y = 2 * x

import tilelang
import tilelang.language as T

ROWS, COLS = 9, 2


@tilelang.jit(out_idx=[-1])
def double():
    @T.prim_func
    def main(
        x: T.Tensor((ROWS * 16, COLS * 64), "float32"),
        y: T.Tensor((ROWS * 16, COLS * 64), "float32"),
    ):
        with T.Kernel(4, is_npu=True) as (cid, vid):
            a = T.alloc_ub((8, 64), "float32")
            b = T.alloc_ub((8, 64), "float32")

            with T.Scope("V"):
                for n, m in T.Persistent([COLS, ROWS], 4, cid, group_size=3):
                    T.copy(x[m * 16 + vid * 8, n * 64], a)
                    T.barrier_all()
                    T.tile.add(b, a, a)
                    T.barrier_all()
                    T.copy(b, y[m * 16 + vid * 8, n * 64])
                    T.barrier_all()

    return main
