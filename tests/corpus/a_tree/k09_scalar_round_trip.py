# case: K09
# what: the scalar unit divides an element between two vector instructions; only the compiler's auto-sync orders that
# twin: k09_round_trip_with_fences.py
# chip: 910b
# expect: clean
# expect auto_sync=off: race-raw V→S @sum @divide; race-raw S→V @divide @root
# values: y = np.sqrt((x * x).sum(1, keepdims=True) / 64) ~ 1e-4

import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1])
def root_mean_square():
    @T.prim_func
    def main(x: T.Tensor((16, 64), "float32"), y: T.Tensor((16, 1), "float32")):
        with T.Kernel(8, is_npu=True) as (cid, vid):
            a = T.alloc_ub((1, 64), "float32")
            s = T.alloc_ub((1, 1), "float32")
            r = T.alloc_ub((1, 1), "float32")

            with T.Scope("V"):
                T.copy(x[cid * 2 + vid, 0], a)
                T.set_flag("mte2", "v", 1)
                T.wait_flag("mte2", "v", 1)
                T.tile.mul(a, a, a)
                T.pipe_barrier("v")
                T.reduce_sum(a, s, dim=-1)  # @sum
                s[0, 0] = s[0, 0] / 64.0  # @divide
                T.tile.sqrt(r, s)  # @root
                T.set_flag("v", "mte3", 1)
                T.wait_flag("v", "mte3", 1)
                T.copy(r, y[cid * 2 + vid, 0])

    return main
