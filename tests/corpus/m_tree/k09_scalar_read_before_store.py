# case: K09
# what: the scalar unit reads a row number that MTE3 may still be storing
# twin: k09_scalar_read_after_store.py
# chip: 950
# launch: table=float32[64,128]:in rows=int32[8]{0..63}:in found=int32[8]:out
# expect: race-raw MTE3→S @store @read

import tilelang
import tilelang.ascend.language as T

MANUAL = {tilelang.PassConfigKey.TL_ENABLE_AUTO_SCHEDULE: False}
WIDTH = 128


@tilelang.jit(target="ascend", pass_configs=MANUAL)
def follow(table, rows, found):
    table: T.Tensor((64, WIDTH), T.float32)
    rows: T.Tensor((8,), T.int32)
    found: T.Tensor((8,), T.int32)
    out = T.empty((1, WIDTH), T.float32)

    with T.Kernel(1) as core:
        ids = T.alloc_shared((8,), T.int32)
        line = T.alloc_shared((1, WIDTH), T.float32)
        T.copy(rows, ids)
        T.ascend_set_flag("MTE2_MTE3", 0)
        T.ascend_wait_flag("MTE2_MTE3", 0)
        T.copy(ids, found)  # @store
        T.copy(table[found[3], 0], line)  # @read
        T.ascend_set_flag("MTE2_MTE3", 0)
        T.ascend_wait_flag("MTE2_MTE3", 0)
        T.copy(line, out)
    return out
