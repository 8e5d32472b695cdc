# case: K16
# what: two pipelines of different depth over one buffer: the compiler gives it no second version, yet loads ahead
# twin: k16_sibling_pipelines_own_buffers.py
# chip: 910b
# expect: race-waw MTE2→MTE2 @load2 @load2; race-war V→MTE2 @add2 @load2; race-waw MTE2→MTE2 @load3 @load3; race-war V→MTE2 @add3 @load3

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
                for k in T.Pipelined(4, num_stages=2):
                    T.copy(x[vid * 16 + k * 4, 0], a)  # @load2
                    T.barrier_all()
                    T.tile.add(b, a, a)  # @add2
                    T.barrier_all()
                    T.copy(b, y[vid * 16 + k * 4, 0])
                    T.barrier_all()
                for k in T.Pipelined(4, num_stages=3):
                    T.copy(z[vid * 16 + k * 4, 0], a)  # @load3
                    T.barrier_all()
                    T.tile.mul(c, a, 2.0)  # @add3
                    T.barrier_all()
                    T.copy(c, w[vid * 16 + k * 4, 0])
                    T.barrier_all()

    return main
