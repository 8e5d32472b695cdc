# case: K12
# what: the flag is set behind the branch, for tiles that were changed and for those that were not
# twin: k12_set_on_one_path_only.py
# chip: 910b
# expect: clean

import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1])
def relu_even_tiles():
    @T.prim_func
    def main(x: T.Tensor((512,), "float32"), y: T.Tensor((512,), "float32")):
        with T.Kernel(1, is_npu=True) as (_, vid):
            a = T.alloc_ub((2, 128), "float32")

            with T.Scope("V"):
                for i in T.serial(2):
                    T.copy(x[(vid * 2 + i) * 128], a[i, :])
                    T.set_flag("mte2", "v", 1)
                    T.wait_flag("mte2", "v", 1)
                    if i % 2 == 0:
                        T.tile.relu(a[i, :], a[i, :])
                    T.set_flag("v", "mte3", 1)
                    T.wait_flag("v", "mte3", 1)
                    T.copy(a[i, :], y[(vid * 2 + i) * 128])

    return main
