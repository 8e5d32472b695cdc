# case: K16
# what: a pipeline whose whole body is another pipeline: this compiler takes only one level
# chip: 910b
# expect: rejected The body of the software pipeline should be SeqStmt

import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1], pass_configs={"tl.ascend_auto_sync": True})
def double():
    @T.prim_func
    def main(x: T.Tensor((64, 128), "float32"), y: T.Tensor((64, 128), "float32")):
        with T.Kernel(1, is_npu=True) as (_, vid):
            a = T.alloc_ub((4, 128), "float32")
            b = T.alloc_ub((4, 128), "float32")

            with T.Scope("V"):
                for i in T.Pipelined(2, num_stages=2):
                    for k in T.Pipelined(4, num_stages=2):
                        T.copy(x[vid * 32 + i * 16 + k * 4, 0], a)
                        T.tile.add(b, a, a)
                        T.copy(b, y[vid * 32 + i * 16 + k * 4, 0])

    return main
