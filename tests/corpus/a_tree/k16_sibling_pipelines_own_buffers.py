# case: K16
# what: two pipelines of different depth, each with buffers of its own, synchronised by the compiler's pass
# twin: k16_sibling_pipelines_share_buffer.py
# chip: 910b
# expect: clean
# values: y = 2 * x
# values: w = 2 * z

import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[2, 3], pass_configs={"tl.ascend_auto_sync": True})
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
            p = T.alloc_ub((4, 128), "float32")
            q = T.alloc_ub((4, 128), "float32")

            with T.Scope("V"):
                for k in T.Pipelined(4, num_stages=2):
                    T.copy(x[vid * 16 + k * 4, 0], a)
                    T.tile.add(b, a, a)
                    T.copy(b, y[vid * 16 + k * 4, 0])
                for k in T.Pipelined(4, num_stages=3):
                    T.copy(z[vid * 16 + k * 4, 0], p)
                    T.tile.add(q, p, p)
                    T.copy(q, w[vid * 16 + k * 4, 0])

    return main
