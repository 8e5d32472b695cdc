// Vector instructions on memory (dav-2201), copies by blocks, and arrays that a kernel declares in UB.
// (asc-devkit, docs/zh/api/SIMD-API/C-API/vector_compute and vector_datamove.)
#pragma once

#include "c_api/face/core_state.h"
#include "c_api/face/memory.h"
#include "c_api/face/qualifiers.h"
#include "c_api/face/sync.h"

namespace aicore::c_api {

// `__ubuf__ T name[n]` of a kernel: the same place whenever its declaration is passed, behind those before it.
template <class T>
T* ub_array(size_t n, uint32_t line) {
    CoreState& s = state();
    for (uint32_t i = 0; i < s.array_count; ++i) {
        if (s.arrays[i].line == line) return reinterpret_cast<T*>((i + 1) * kOnChip + s.arrays[i].offset);
    }
    if (s.array_count == kMostArrays) unsupported("more than 24 arrays that a kernel declares in UB");
    const auto start = static_cast<uint32_t>((s.ub_end + 31) / 32 * 32);
    const auto bytes = static_cast<uint32_t>((n * sizeof(T) + 31) / 32 * 32);
    s.arrays[s.array_count++] = {line, start, bytes};
    s.ub_end = start + n * sizeof(T);
    check_ub();
    return reinterpret_cast<T*>(s.array_count * kOnChip + start);
}

// Blocks of 32 bytes, gaps from end to start.
inline ops::Burst blocks(uint16_t n_burst, uint16_t len_burst, uint16_t src_gap, uint16_t dst_gap) {
    ops::Burst b;
    b.rows = n_burst;
    b.row_bytes = len_burst * 32ull;
    b.src_pitch = (len_burst + src_gap) * 32ll;
    b.dst_pitch = (len_burst + dst_gap) * 32ll;
    return b;
}

inline bool whole_blocks(uint32_t size, const char* message) {
    if (size % 32 != 0) finding("misaligned", message, "round the size up to a multiple of 32 bytes");
    return size >= 32;
}

}  // namespace aicore::c_api

#define AICORE_UB_ARRAY(T, N) ::aicore::c_api::ub_array<T>(N, __COUNTER__ + 1)

inline void asc_copy_gm2ub(__ubuf__ void* dst, __gm__ void* src, uint16_t n_burst, uint16_t len_burst, uint16_t src_gap,
                           uint16_t dst_gap) {
    using namespace aicore::c_api;
    if (!in_range(n_burst, 4095, "asc_copy_gm2ub: n_burst is not in 1..4095")) return;
    aicore::ops::burst("asc_copy_gm2ub", aicore::Pipe::mte2, on_chip(aicore::Space::ub, dst), gm(src),
                       blocks(n_burst, len_burst, src_gap, dst_gap));
}
inline void asc_copy_gm2ub(__ubuf__ void* dst, __gm__ void* src, uint32_t size) {
    using namespace aicore::c_api;
    if (!whole_blocks(size, "asc_copy_gm2ub: the size is no multiple of 32 bytes")) return;
    aicore::ops::Burst b;
    b.row_bytes = size / 32 * 32;
    aicore::ops::burst("asc_copy_gm2ub", aicore::Pipe::mte2, on_chip(aicore::Space::ub, dst), gm(src), b);
}
inline void asc_copy_gm2ub_sync(__ubuf__ void* dst, __gm__ void* src, uint32_t size) {
    asc_copy_gm2ub(dst, src, size);
    asc_sync();
}
inline void asc_copy_ub2gm(__gm__ void* dst, __ubuf__ void* src, uint16_t n_burst, uint16_t len_burst, uint16_t src_gap,
                           uint16_t dst_gap) {
    using namespace aicore::c_api;
    if (!in_range(n_burst, 4095, "asc_copy_ub2gm: n_burst is not in 1..4095")) return;
    aicore::ops::Burst b = blocks(n_burst, len_burst, src_gap, dst_gap);
    b.atomic = state().atomic;
    b.atomic_type = state().atomic_type;
    aicore::ops::burst("asc_copy_ub2gm", aicore::Pipe::mte3, gm(dst), on_chip(aicore::Space::ub, src), b);
}
inline void asc_copy_ub2gm(__gm__ void* dst, __ubuf__ void* src, uint32_t size) {
    using namespace aicore::c_api;
    if (!whole_blocks(size, "asc_copy_ub2gm: the size is no multiple of 32 bytes")) return;
    aicore::ops::Burst b;
    b.row_bytes = size / 32 * 32;
    b.atomic = state().atomic;
    b.atomic_type = state().atomic_type;
    aicore::ops::burst("asc_copy_ub2gm", aicore::Pipe::mte3, gm(dst), on_chip(aicore::Space::ub, src), b);
}
inline void asc_copy_ub2gm_sync(__gm__ void* dst, __ubuf__ void* src, uint32_t size) {
    asc_copy_ub2gm(dst, src, size);
    asc_sync();
}

#if __NPU_ARCH__ == 2201
// Whole repeats under the full mask, or the first `count` elements.
#define AICORE_C_API_BINARY(NAME, OP)                                                                                \
    template <class T>                                                                                               \
    inline void NAME(__ubuf__ T* dst, __ubuf__ T* src0, __ubuf__ T* src1, const ::aicore::ops::VecShape& shape) {    \
        using namespace aicore::c_api;                                                                               \
        ::aicore::ops::vec(#NAME, ::aicore::ops::VecOp::OP, dtype<T>(), on_chip(::aicore::Space::ub, dst),           \
                           on_chip(::aicore::Space::ub, src0), on_chip(::aicore::Space::ub, src1), 0, shape);        \
    }                                                                                                                \
    template <class T>                                                                                               \
    inline void NAME(__ubuf__ T* dst, __ubuf__ T* src0, __ubuf__ T* src1, uint32_t count) {                          \
        ::aicore::ops::VecShape shape;                                                                               \
        shape.count = count;                                                                                         \
        if (count != 0) NAME(dst, src0, src1, shape);                                                                \
    }                                                                                                                \
    template <class T>                                                                                               \
    inline void NAME##_sync(__ubuf__ T* dst, __ubuf__ T* src0, __ubuf__ T* src1, uint32_t count) {                   \
        NAME(dst, src0, src1, count);                                                                                \
        asc_sync();                                                                                                  \
    }                                                                                                                \
    template <class T>                                                                                               \
    inline void NAME(__ubuf__ T* dst, __ubuf__ T* src0, __ubuf__ T* src1, uint8_t repeat, uint8_t dst_block_stride,  \
                     uint8_t src0_block_stride, uint8_t src1_block_stride, uint8_t dst_repeat_stride,                \
                     uint8_t src0_repeat_stride, uint8_t src1_repeat_stride) {                                       \
        ::aicore::ops::VecShape shape;                                                                               \
        shape.repeats = repeat;                                                                                      \
        shape.dst_blk = dst_block_stride, shape.src0_blk = src0_block_stride, shape.src1_blk = src1_block_stride;    \
        shape.dst_rep = dst_repeat_stride, shape.src0_rep = src0_repeat_stride, shape.src1_rep = src1_repeat_stride; \
        if (repeat != 0) NAME(dst, src0, src1, shape);                                                               \
    }
AICORE_C_API_BINARY(asc_add, add)
AICORE_C_API_BINARY(asc_sub, sub)
AICORE_C_API_BINARY(asc_mul, mul)
AICORE_C_API_BINARY(asc_div, div)
AICORE_C_API_BINARY(asc_max, max)
AICORE_C_API_BINARY(asc_min, min)
#undef AICORE_C_API_BINARY
#endif
