// Copies between GM and UB, and from UB to L1. Lengths and pitches are bytes, pitches from start to start; the copy to
// L1 counts 32-byte blocks and gaps from end to start.
// (asc-devkit, docs/zh/api/SIMD-API/C-API/vector_datamove.)
#pragma once

#include "c_api/face/core_state.h"
#include "c_api/face/enums.h"
#include "c_api/face/memory.h"
#include "c_api/face/qualifiers.h"

namespace aicore::c_api {

inline constexpr int64_t kMaxBursts = 4095;
inline constexpr int64_t kMaxBurstBytes = 2097151;

template <class T>
uint64_t pad_bits(T value) {
    static_assert(sizeof(T) <= 4);
    uint32_t bits = 0;
    __builtin_memcpy(&bits, &value, sizeof(T));
    return bits;
}

}  // namespace aicore::c_api

// The value that asc_copy_gm2ub_align pads with when `const_pad` is set.
template <class T>
inline void asc_set_copy_pad_val(T value) {
    auto& s = ::aicore::c_api::state();
    s.pad_value = static_cast<uint32_t>(::aicore::c_api::pad_bits(value));
    s.pad_is_set = true;
}

// GM -> UB: n_burst rows of len_burst bytes. Padding counts elements of the pointer's type. The bytes after a row up to
// the next 32-byte block are written too, with nothing to rely on.
template <class D, class S>
inline void asc_copy_gm2ub_align(__ubuf__ D* dst, __gm__ S* src, int64_t n_burst, int64_t len_burst, uint32_t left_pad,
                                 uint32_t right_pad, bool const_pad, asc_load_l2_cache_mode, int64_t src_stride,
                                 int64_t dst_stride) {
    using namespace aicore::c_api;
    namespace ops = aicore::ops;
    if (!in_range(n_burst, kMaxBursts, "asc_copy_gm2ub_align: n_burst is not in 1..4095")) return;
    if (!in_range(len_burst, kMaxBurstBytes, "asc_copy_gm2ub_align: len_burst is not in 1..2097151 bytes")) return;
    if (n_burst == 0 || len_burst == 0) return;
    check_ub_pitch(n_burst, len_burst, dst_stride, "asc_copy_gm2ub_align: dst_stride is no multiple of 32 bytes");
    if (const_pad && !state().pad_is_set) {
        if (left_pad == 0 && right_pad == 0) aicore::unsupported("asc_copy_gm2ub_align before asc_set_copy_pad_val");
        return aicore::finding("argument-range", "asc_copy_gm2ub_align pads with a value that nothing has set",
                               "call asc_set_copy_pad_val (T.ascend_set_copy_pad_value in TileLang) before this copy");
    }

    ops::Burst b;
    b.rows = static_cast<uint32_t>(n_burst);
    b.row_bytes = static_cast<uint64_t>(len_burst);
    b.src_pitch = src_stride;
    b.dst_pitch = dst_stride;
    b.elem = sizeof(D);
    b.left_pad = left_pad * sizeof(D);
    b.right_pad = right_pad * sizeof(D);
    // Rows without a gap are packed: padding one would overwrite the next.
    b.pad_to_block = n_burst == 1 || dst_stride % 32 == 0;
    if (left_pad != 0 || right_pad != 0) b.fill = const_pad ? ops::PadFill::value : ops::PadFill::first_element;
    b.pad_value = state().pad_value;
    note_ub(dst, n_burst, dst_stride, b.left_pad + b.row_bytes + b.right_pad);
    ops::burst("asc_copy_gm2ub_align", aicore::Pipe::mte2, on_chip(aicore::Space::ub, dst), gm(src), b);
}

// GM -> UB, `size` contiguous bytes, a multiple of 32.
template <class D, class S>
inline void asc_copy_gm2ub_align(__ubuf__ D* dst, __gm__ S* src, uint32_t size) {
    asc_copy_gm2ub_align(dst, src, 1, size, 0, 0, false, asc_load_l2_cache_mode::NORMAL_FIRST_VICTIM, 0, 0);
}

// UB -> GM: exactly len_burst bytes a row are written. The destination's pitch comes first.
template <class D, class S>
inline void asc_copy_ub2gm_align(__gm__ D* dst, __ubuf__ S* src, int64_t n_burst, int64_t len_burst,
                                 asc_store_l2_cache_mode, int64_t dst_stride, int64_t src_stride) {
    using namespace aicore::c_api;
    namespace ops = aicore::ops;
    if (!in_range(n_burst, kMaxBursts, "asc_copy_ub2gm_align: n_burst is not in 1..4095")) return;
    if (!in_range(len_burst, kMaxBurstBytes, "asc_copy_ub2gm_align: len_burst is not in 1..2097151 bytes")) return;
    if (n_burst == 0 || len_burst == 0) return;
    check_ub_pitch(n_burst, len_burst, src_stride, "asc_copy_ub2gm_align: src_stride is no multiple of 32 bytes");

    ops::Burst b;
    b.rows = static_cast<uint32_t>(n_burst);
    b.row_bytes = static_cast<uint64_t>(len_burst);
    b.src_pitch = src_stride;
    b.dst_pitch = dst_stride;
    b.elem = sizeof(D);
    b.atomic = state().atomic;
    b.atomic_type = state().atomic_type;
    note_ub(src, n_burst, src_stride, b.row_bytes);
    ops::burst("asc_copy_ub2gm_align", aicore::Pipe::mte3, gm(dst), on_chip(aicore::Space::ub, src), b);
}

template <class D, class S>
inline void asc_copy_ub2gm_align(__gm__ D* dst, __ubuf__ S* src, uint32_t size) {
    asc_copy_ub2gm_align(dst, src, 1, size, asc_store_l2_cache_mode::NORMAL_FIRST_VICTIM, 0, 0);
}

// UB of the calling Vector core -> L1 of its block's Cube core; everything in blocks of 32 bytes.
inline void asc_copy_ub2l1(__cbuf__ void* dst, __ubuf__ void* src, uint16_t n_burst, uint16_t len_burst,
                           uint16_t src_gap, uint16_t dst_gap) {
    using namespace aicore::c_api;
    namespace ops = aicore::ops;
    if (!in_range(n_burst, kMaxBursts, "asc_copy_ub2l1: n_burst is not in 1..4095")) return;
    if (n_burst == 0 || len_burst == 0) return;
    ops::Burst b;
    b.rows = n_burst;
    b.row_bytes = len_burst * 32ull;
    b.src_pitch = (len_burst + src_gap) * 32ll;
    b.dst_pitch = (len_burst + dst_gap) * 32ll;
    ops::burst("asc_copy_ub2l1", aicore::Pipe::mte3, on_chip(aicore::Space::l1, dst, aicore::Unit::aic),
               on_chip(aicore::Space::ub, src), b);
}
