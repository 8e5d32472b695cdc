# case: numbers: elementwise
# what: 8 elements in tiles of 64, in place in UB
# chip: 910b
# expect: clean
# expect auto_sync=off: clean
# values: y = 2 * x + 1

import tilelang
import tilelang.language as T

N, TILE, TILES = 8, 64, 1


@tilelang.jit(out_idx=[-1])
def affine():
    @T.prim_func
    def main(x: T.Tensor((N,), "float32"), y: T.Tensor((N,), "float32")):
        with T.Kernel(2, is_npu=True) as (cid, vid):
            a = T.alloc_ub((TILE,), "float32")

            with T.Scope("V"):
                for i in T.serial(1):
                    tile = i * 4 + cid * 2 + vid
                    if tile < TILES:
                        T.copy(x[tile * TILE], a)
                        T.barrier_all()
                        T.tile.mul(a, a, 2.0)
                        T.pipe_barrier("v")
                        T.tile.add(a, a, 1.0)
                        T.barrier_all()
                        T.copy(a, y[tile * TILE])
                        T.barrier_all()

    return main
