"""A ring of two slots that buffer mutexes guard. M tree, without the compiler's flags (enable_auto_schedule is off)."""

import tilelang
import tilelang.ascend.language as T


@tilelang.jit(target="ascend", pass_configs={"tl.enable_auto_schedule": False})
def held(N):
    @T.prim_func
    def main(X: T.Buffer((N,), "float32"), Y: T.Buffer((N,), "float32")):
        with T.Kernel(2) as block:
            x = T.alloc_shared((2, 512), "float32")
            y = T.alloc_shared((2, 512), "float32")
            for i in range(N // 1024):
                at = (i * 2 + block) * 512
                slot = i % 2
                T.ascend_get_buf("PIPE_MTE2", slot)
                T.copy(X[at : at + 512], x[slot, :])
                T.ascend_rls_buf("PIPE_MTE2", slot)
                T.ascend_get_buf("PIPE_V", slot)
                T.ascend_get_buf("PIPE_V", slot + 2)
                with T.SimtVF(threads=128):
                    for k in T.Parallel(512):
                        y[slot, k] = x[slot, k] + 1.0
                T.ascend_rls_buf("PIPE_V", slot)
                T.ascend_rls_buf("PIPE_V", slot + 2)
                T.ascend_get_buf("PIPE_MTE3", slot + 2)
                T.copy(y[slot, :], Y[at : at + 512])
                T.ascend_rls_buf("PIPE_MTE3", slot + 2)

    return main
