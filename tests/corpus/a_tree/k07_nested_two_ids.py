# case: K07
# what: the same two overlapping flags with an id each: clean however the chip tells flags apart
# twin: k07_nested_same_id.py
# chip: 910b
# expect: clean
# expect flag_identity=strict: clean
# values: u = x
# values: v = w
# values: s = z
# values: t = 2 * x

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
                T.set_flag("mte3", "v", 1)
                T.copy(b, s[vid * 64])
                T.set_flag("mte3", "mte2", 2)
                T.wait_flag("mte3", "mte2", 2)
                T.copy(w[vid * 64], b)
                T.wait_flag("mte3", "v", 1)
                T.set_flag("mte2", "v", 3)
                T.wait_flag("mte2", "v", 3)
                T.tile.mul(a, a, 2.0)
                T.set_flag("v", "mte3", 1)
                T.wait_flag("v", "mte3", 1)
                T.copy(a, t[vid * 64])
                T.set_flag("mte2", "mte3", 1)
                T.wait_flag("mte2", "mte3", 1)
                T.copy(b, v[vid * 64])

    return main
