// Registers that a call sets and later calls read: one set per core, zero when a kernel starts.
#pragma once

#include <cstdint>

#include "aicore/core.h"
#include "aicore/ops.h"

namespace aicore::c_api {

struct NzStrides {
    bool is_set;
    uint16_t matrices;       // ND matrices of one copy
    uint16_t n_stride;       // between rows, 32-B blocks
    uint16_t c0_stride;      // between C0 column groups, 32-B blocks
    uint16_t matrix_stride;  // between NZ matrices, 32-B blocks
};

struct UbArray {
    uint32_t line;  // of its declaration
    uint32_t offset;
    uint32_t bytes;  // whole blocks of 32
};
inline constexpr uint32_t kMostArrays = 24;

struct CoreState {
    NzStrides gm_to_l1;
    bool l0c_nz_is_set;
    uint16_t l0c_nd_matrices;
    bool pad_is_set;
    uint32_t pad_value;
    bool hf32, hf32_to_away;  // a fresh core rounds to even
    uint64_t ub_end;          // end of the highest UB bytes that a copy named
    bool runs_threads;        // issued a SIMT function
    bool ub_overflow_told;
    ops::Atomic atomic;
    ops::DType atomic_type;
    UbArray arrays[kMostArrays];  // arrays that the kernel declares in UB
    uint32_t array_count;
    uint64_t kept, merged;         // of the last asc_reduce, and of the last asc_mrgsort4
    uint16_t block_address[8][8];  // registers VA0 to VA7, in blocks of 32 bytes
};
static_assert(sizeof(CoreState) <= kFaceStateBytes);

inline CoreState& state() { return *static_cast<CoreState*>(face_state()); }

}  // namespace aicore::c_api
