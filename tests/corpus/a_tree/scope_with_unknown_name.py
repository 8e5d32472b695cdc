# case: facts: scopes
# what: a scope that is not called V or C means the cube core, where vector code does nothing
# twin: blocks_write_their_own_tile.py
# chip: 910b
# expect: output-not-written

import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1])
def double():
    @T.prim_func
    def main(x: T.Tensor((512,), "float32"), y: T.Tensor((512,), "float32")):
        with T.Kernel(2, is_npu=True) as (cid, vid):
            a = T.alloc_ub((128,), "float32")

            with T.Scope("vector"):
                T.copy(x[(cid * 2 + vid) * 128], a)
                T.set_flag("mte2", "v", 1)
                T.wait_flag("mte2", "v", 1)
                T.tile.add(a, a, a)
                T.set_flag("v", "mte3", 1)
                T.wait_flag("v", "mte3", 1)
                T.copy(a, y[(cid * 2 + vid) * 128])

    return main
