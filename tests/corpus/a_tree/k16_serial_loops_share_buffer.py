# case: K16
# what: the same two loops over one buffer, run one step after the other
# twin: k16_sibling_pipelines_share_buffer.py
# chip: 910b
# expect: clean
# values: y = 2 * x
# values: w = 2 * z

import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[2, 3])
def double():
    @T.prim_func
    def main(
        x: T.Tensor((32, 128), "float32"),
        z: T.Tensor((32, 128), "float32"),
        y: T.Tensor((32, 128), "float32"),
        w: T.Tensor((32, 128), "float32"),
    ):
        with T.Kernel(1, is_npu=True) as (_, vid):
            a = T.alloc_ub((4, 128), "float32")
            b = T.alloc_ub((4, 128), "float32")
            c = T.alloc_ub((4, 128), "float32")

            with T.Scope("V"):
                for k in T.serial(4):
                    T.copy(x[vid * 16 + k * 4, 0], a)
                    T.barrier_all()
                    T.tile.add(b, a, a)
                    T.barrier_all()
                    T.copy(b, y[vid * 16 + k * 4, 0])
                    T.barrier_all()
                for k in T.serial(4):
                    T.copy(z[vid * 16 + k * 4, 0], a)
                    T.barrier_all()
                    T.tile.mul(c, a, 2.0)
                    T.barrier_all()
                    T.copy(c, w[vid * 16 + k * 4, 0])
                    T.barrier_all()

    return main
