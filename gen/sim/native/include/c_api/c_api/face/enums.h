// Constants of the C API: pipes, events, and the modes that copies take. Values follow asc-devkit, include/c_api.
#pragma once

#include <cstdint>

#include "aicore/core.h"

enum pipe_t : uint32_t {
    PIPE_S = 0,
    PIPE_V,
    PIPE_M,
    PIPE_MTE1,
    PIPE_MTE2,
    PIPE_MTE3,
    PIPE_ALL,
    PIPE_FIX = 10,
};

enum event_t : uint32_t {
    EVENT_ID0,
    EVENT_ID1,
    EVENT_ID2,
    EVENT_ID3,
    EVENT_ID4,
    EVENT_ID5,
    EVENT_ID6,
    EVENT_ID7,
};

enum ascMutexExecuteMode { ASC_LOCK_BLOCK = 0, ASC_LOCK_NON_BLOCK = 1 };

enum class mem_dsb_t { DSB_ALL, DSB_DDR, DSB_UB, DSB_SEQ };

// How lines stay in L2: no effect on results.
enum class asc_load_l2_cache_mode : uint8_t {
    NORMAL_FIRST_VICTIM = 0,
    NORMAL_LAST_VICTIM = 1,
    NORMAL_PERSISTENT = 2,
    NOTALLOC_KEEP = 4,
    NOTALLOC_CLEAN = 5,
    NOTALLOC_DROP = 6,
};
enum class asc_store_l2_cache_mode : uint8_t {
    NORMAL_FIRST_VICTIM = 0,
    NORMAL_LAST_VICTIM = 1,
    NORMAL_PERSISTENT = 2,
    NOTALLOC_CLEAN = 4,
};

// What FIXPIPE does to a tile of L0C on its way out.
enum class asc_dual_dst_mode : uint8_t { DISABLE = 0, SPLIT_M = 1, SPLIT_N = 2 };
enum class asc_unit_flag_mode : uint8_t { DISABLE = 0, ENABLE_KEEP = 2, ENABLE_UPDATE = 3 };
enum class asc_relu_pre_mode : uint8_t { NONE = 0, NORMAL = 1, SCALAR = 2, VECTOR = 3 };
enum class asc_quant_mode : uint8_t { NoQuant = 0, F322F16 = 1, F322BF16 = 16 };
// To nearest; ties away from zero, or to even. The old name NEAREST_ZERO does what NEAREST_AWAY says.
enum class asc_hf32_round_mode : uint8_t { NEAREST_AWAY = 0, NEAREST_EVEN = 1, NEAREST_ZERO = NEAREST_AWAY };

// `repeat` runs of `blk_num` blocks of 32 bytes, `dst_gap` blocks between them.
struct asc_fill_value_config {
    uint64_t repeat : 16;
    uint64_t blk_num : 16;
    uint64_t dst_gap : 16;
};

namespace aicore::c_api {

inline Pipe to_pipe(pipe_t p, const char* call) {
    switch (p) {
        case PIPE_S:
            return Pipe::s;
        case PIPE_V:
            return Pipe::v;
        case PIPE_M:
            return Pipe::m;
        case PIPE_MTE1:
            return Pipe::mte1;
        case PIPE_MTE2:
            return Pipe::mte2;
        case PIPE_MTE3:
            return Pipe::mte3;
        case PIPE_FIX:
            return Pipe::fix;
        default:
            unsupported(call);
    }
}

}  // namespace aicore::c_api
