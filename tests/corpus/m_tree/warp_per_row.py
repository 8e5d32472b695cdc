# case: SIMT
# what: every warp of 32 threads sums one row; 100 columns leave lanes idle in the last step
# chip: 950
# expect: clean
# values: y = np.sum(x, axis=1) ~ 1e-3

import tilelang
import tilelang.ascend.language as T

ROWS = 8
WIDTH = 100
PADDED = 104


@tilelang.jit(target="ascend")
def row_sums(x):
    x: T.Tensor((ROWS, WIDTH), T.float32)
    y = T.empty((ROWS,), T.float32)

    with T.Kernel(1) as core:
        x_ub = T.alloc_shared((ROWS, PADDED), T.float32)
        y_ub = T.alloc_shared((ROWS,), T.float32)
        T.copy(x[0:ROWS, 0:WIDTH], x_ub[:, 0:WIDTH])
        with T.SimtVF(threads=ROWS * 32):
            thread = T.get_thread_binding()
            row = thread // 32
            lane = thread % 32
            part = T.alloc_var(T.float32)
            part = T.float32(0)
            for j in T.serial(T.ceildiv(WIDTH, 32)):
                if j * 32 + lane < WIDTH:
                    part = part + x_ub[row, j * 32 + lane]
            total = T.alloc_var(T.float32)
            total = T.warp_reduce_sum(part)
            if lane == 0:
                y_ub[row] = total
        T.copy(y_ub, y)
    return y
