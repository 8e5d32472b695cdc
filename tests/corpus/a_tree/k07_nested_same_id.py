# case: K07
# what: two flags of MTE3 with one id are out at once; they differ only in the pipe that waits
# twin: k07_nested_two_ids.py
# chip: 910b
# expect: clean; note flag-set-twice MTE3→MTE2 @inner
# expect flag_identity=strict: flag-set-twice MTE3→MTE2 @outer @inner
# values: u = x
# values: v = w

import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[3, 4, 5, 6])
def nested():
    @T.prim_func
    def main(
        x: T.Tensor((128,), "float32"),
        z: T.Tensor((128,), "float32"),
        w: T.Tensor((128,), "float32"),
        u: T.Tensor((128,), "float32"),
        v: T.Tensor((128,), "float32"),
        s: T.Tensor((128,), "float32"),
        t: T.Tensor((128,), "float32"),
    ):
        with T.Kernel(1, is_npu=True) as (_, vid):
            a = T.alloc_ub((64,), "float32")
            b = T.alloc_ub((64,), "float32")

            with T.Scope("V"):
                T.copy(x[vid * 64], a)
                T.copy(z[vid * 64], b)
                T.set_flag("mte2", "mte3", 1)
                T.wait_flag("mte2", "mte3", 1)
                T.copy(a, u[vid * 64])
                T.set_flag("mte3", "v", 1)  # @outer
                T.copy(b, s[vid * 64])  # @store
                T.set_flag("mte3", "mte2", 1)  # @inner
                T.wait_flag("mte3", "mte2", 1)
                T.copy(w[vid * 64], b)  # @load
                T.wait_flag("mte3", "v", 1)
                T.set_flag("mte2", "v", 2)
                T.wait_flag("mte2", "v", 2)
                T.tile.mul(a, a, 2.0)
                T.set_flag("v", "mte3", 2)
                T.wait_flag("v", "mte3", 2)
                T.copy(a, t[vid * 64])
                T.set_flag("mte2", "mte3", 2)
                T.wait_flag("mte2", "mte3", 2)
                T.copy(b, v[vid * 64])

    return main
