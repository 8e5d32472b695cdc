"""C = A + B as a T.prim_func that a function makes."""

import tilelang.ascend.language as T


def add(N, TILE=256):
    @T.prim_func
    def main(
        A: T.Tensor((N,), "float32"), B: T.Tensor((N,), "float32"), C: T.Tensor((N,), "float32")
    ):
        with T.Kernel(2) as core:
            a_ub = T.alloc_shared((TILE,), "float32")
            b_ub = T.alloc_shared((TILE,), "float32")
            for tile in T.Persistent([T.ceildiv(N, TILE)], 2, core, group_size=1):
                T.copy(A[tile * TILE], a_ub)
                T.copy(B[tile * TILE], b_ub)
                with T.SimtVF(threads=64):
                    for i in T.Parallel(TILE):
                        a_ub[i] = a_ub[i] + b_ub[i]
                T.copy(a_ub, C[tile * TILE])

    return main
