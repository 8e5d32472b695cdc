# case: must-not-flag 9
# what: which slot of the buffer a block uses depends on its index, so no compiler can know its offset
# chip: 910b
# expect: clean
# values: y = 2 * x

import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1])
def double():
    @T.prim_func
    def main(x: T.Tensor((6, 256), "float32"), y: T.Tensor((6, 256), "float32")):
        with T.Kernel(3, is_npu=True) as (cid, vid):
            a = T.alloc_ub((3, 256), "float32")
            b = T.alloc_ub((3, 256), "float32")

            with T.Scope("V"):
                T.copy(x[cid * 2 + vid, 0], a[(cid + vid) % 3, :])
                T.set_flag("mte2", "v", 1)
                T.wait_flag("mte2", "v", 1)
                T.tile.add(b[(cid * 2) % 3, :], a[(cid + vid) % 3, :], a[(cid + vid) % 3, :])
                T.set_flag("v", "mte3", 1)
                T.wait_flag("v", "mte3", 1)
                T.copy(b[(cid * 2) % 3, :], y[cid * 2 + vid, 0])

    return main
