// Sorting, compaction, gathering and transposition on memory. (asc-devkit, docs/zh/api/SIMD-API/C-API/vector_compute,
// the pages of these names.)
#pragma once

#include "c_api/face/core_state.h"
#include "c_api/face/memory.h"
#include "c_api/face/qualifiers.h"
#include "c_api/face/sync.h"

inline constexpr int ASC_C_API_MRGSORT_ELEMENT_LEN = 4;

// Each names 8 blocks of UB.
enum ub_addr8_t : uint8_t { VA0, VA1, VA2, VA3, VA4, VA5, VA6, VA7 };

namespace aicore::c_api {

inline ops::Mem in_ub(const volatile void* p) { return on_chip(Space::ub, p); }

template <class T>
concept Score = std::is_same_v<T, float> || std::is_same_v<T, half>;

inline constexpr uint32_t kPairBytes = 8;

inline bool follow_each_other(const ops::Mem (&lists)[4], const uint16_t (&lengths)[4]) {
    for (int i = 1; i < 4; ++i) {
        if (lengths[i] != lengths[0] || lists[i].addr != lists[i - 1].addr + lengths[0] * kPairBytes) return false;
    }
    return true;
}

inline void merge(ops::DType type, ops::Mem dst, const ops::Mem (&lists)[4], const uint16_t (&lengths)[4],
                  uint8_t repeat, bool suspend, uint8_t valid_bit) {
    const bool known = valid_bit == 3 || valid_bit == 7 || valid_bit == 15;
    if (!known) {
        return finding("argument-range", "asc_mrgsort4: valid_bit is not 3, 7 or 15",
                       "name the lists from the first one on");
    }
    if (repeat > 1 && (valid_bit != 15 || suspend || !follow_each_other(lists, lengths))) {
        return finding("argument-range", "asc_mrgsort4: several repeats of lists that do not allow it",
                       "repeat only four lists of one length that follow each other, without suspension");
    }
    ops::Merge m;
    m.lists = static_cast<uint32_t>(__builtin_popcount(valid_bit));
    m.repeats = repeat;
    m.suspend = suspend;
    m.taken = &state().merged;
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < m.lists; ++i) {
        if (!in_range(lengths[i], 4095, "asc_mrgsort4: the length of a list is not in 0..4095")) return;
        m.lengths[i] = lengths[i];
        bytes += uint64_t{lengths[i]} * kPairBytes * repeat;
    }
    for (uint32_t i = 0; i < m.lists; ++i) {
        if (!ops::overlap(dst, bytes, lists[i], uint64_t{lengths[i]} * kPairBytes)) continue;
        finding("operand-overlap", "the destination of asc_mrgsort4 overlaps a list that it merges",
                "merge into bytes of its own");
        break;
    }
    ops::merge_sorted("asc_mrgsort4", type, dst, lists, m);
}

inline ops::Rows16 rows_of_registers(ub_addr8_t first, uint32_t stride, bool high) {
    ops::Rows16 rows;
    for (uint32_t i = 0; i < 16; ++i) rows.at[i] = state().block_address[(first + i / 8) % 8][i % 8] * 32u;
    rows.rep = stride;
    rows.high = high;
    return rows;
}

}  // namespace aicore::c_api

// ---- sorting

template <aicore::c_api::Score T>
void asc_bitsort(__ubuf__ T* dst, __ubuf__ T* src0, __ubuf__ uint32_t* src1, int32_t repeat) {
    using namespace aicore::c_api;
    if (!in_range(repeat, 255, "asc_bitsort: repeat is not in 0..255") || repeat == 0) return;
    aicore::ops::sort32("asc_bitsort", dtype<T>(), in_ub(dst), in_ub(src0), in_ub(src1), static_cast<uint32_t>(repeat));
}
template <aicore::c_api::Score T>
void asc_bitsort_sync(__ubuf__ T* dst, __ubuf__ T* src0, __ubuf__ uint32_t* src1, int32_t repeat) {
    asc_bitsort(dst, src0, src1, repeat);
    asc_sync();
}
template <aicore::c_api::Score T>
void asc_mrgsort4(__ubuf__ T* dst, __ubuf__ T* src[ASC_C_API_MRGSORT_ELEMENT_LEN], uint8_t repeat,
                  uint16_t element_length_0, uint16_t element_length_1, uint16_t element_length_2,
                  uint16_t element_length_3, bool if_exhausted_suspension, uint8_t valid_bit) {
    using namespace aicore::c_api;
    // A list that does not take part has any address.
    aicore::ops::Mem lists[4];
    for (int i = 0; i < 4; ++i) lists[i] = in_ub((valid_bit >> i) & 1 ? src[i] : src[0]);
    merge(dtype<T>(), in_ub(dst), lists, {element_length_0, element_length_1, element_length_2, element_length_3},
          repeat, if_exhausted_suspension, valid_bit);
}
template <aicore::c_api::Score T>
void asc_mrgsort4_sync(__ubuf__ T* dst, __ubuf__ T* src[ASC_C_API_MRGSORT_ELEMENT_LEN], uint8_t repeat,
                       uint16_t element_length_0, uint16_t element_length_1, uint16_t element_length_2,
                       uint16_t element_length_3, bool if_exhausted_suspension, uint8_t valid_bit) {
    asc_mrgsort4(dst, src, repeat, element_length_0, element_length_1, element_length_2, element_length_3,
                 if_exhausted_suspension, valid_bit);
    asc_sync();
}

// ---- transposition

template <class T>
    requires(sizeof(T) == 2 && std::is_integral_v<T>)
void asc_transpose(__ubuf__ T* dst, __ubuf__ T* src) {
    aicore::ops::transpose16("asc_transpose", aicore::c_api::in_ub(dst), aicore::c_api::in_ub(src));
}
template <class T>
    requires(sizeof(T) == 2 && std::is_integral_v<T>)
void asc_transpose_sync(__ubuf__ T* dst, __ubuf__ T* src) {
    asc_transpose(dst, src);
    asc_sync();
}
template <class T>
void asc_set_va_reg(ub_addr8_t addr, __ubuf__ T** src_array) {
    for (int i = 0; i < 8; ++i) {
        const uint64_t at = aicore::c_api::offset_of(src_array[i]);
        if (at % 32 != 0) {
            aicore::finding("misaligned", "asc_set_va_reg: an address is no multiple of 32 bytes",
                            "let every block start at a multiple of 32 bytes");
        }
        aicore::c_api::state().block_address[addr][i] = static_cast<uint16_t>(at / 32);
    }
}

#define AICORE_C_API_TURNED_ROWS(NAME, TYPE)                                                                         \
    inline void NAME(ub_addr8_t dst, ub_addr8_t src, uint8_t repeat, uint16_t dst_stride, uint16_t src_stride,       \
                     bool dst_high_half = false, bool src_high_half = false) {                                       \
        ::aicore::ops::transpose_rows16(#NAME, ::aicore::ops::DType::TYPE,                                           \
                                        ::aicore::c_api::rows_of_registers(dst, dst_stride, dst_high_half),          \
                                        ::aicore::c_api::rows_of_registers(src, src_stride, src_high_half), repeat); \
    }                                                                                                                \
    template <class... Halves>                                                                                       \
    void NAME##_sync(ub_addr8_t dst, ub_addr8_t src, uint8_t repeat, uint16_t dst_stride, uint16_t src_stride,       \
                     Halves... halves) {                                                                             \
        NAME(dst, src, repeat, dst_stride, src_stride, halves...);                                                   \
        asc_sync();                                                                                                  \
    }
AICORE_C_API_TURNED_ROWS(asc_transto5hd_b32, u32)
AICORE_C_API_TURNED_ROWS(asc_transto5hd_b16, u16)
AICORE_C_API_TURNED_ROWS(asc_transto5hd_b8, u8)
#undef AICORE_C_API_TURNED_ROWS

#if __NPU_ARCH__ == 2201

inline void asc_get_vms4_sr(uint16_t sorted_num[ASC_C_API_MRGSORT_ELEMENT_LEN]) {
    const uint64_t taken = aicore::register_read("asc_get_vms4_sr", aicore::Pipe::v, &aicore::c_api::state().merged);
    for (int i = 0; i < ASC_C_API_MRGSORT_ELEMENT_LEN; ++i) sorted_num[i] = static_cast<uint16_t>(taken >> (16 * i));
}

// ---- gathering: offsets in bytes, of elements or of blocks

namespace aicore::c_api {

template <class T>
concept Gathered = sizeof(T) == 2 || sizeof(T) == 4;
template <class T>
concept Word = std::is_same_v<T, uint16_t> || std::is_same_v<T, uint32_t>;

}  // namespace aicore::c_api

template <aicore::c_api::Gathered T>
void asc_gather(__ubuf__ T* dst, __ubuf__ T* src, __ubuf__ uint32_t* src_offset, uint32_t count) {
    using namespace aicore::c_api;
    aicore::ops::VecShape shape;
    shape.count = count;
    if (count != 0) aicore::ops::gather("asc_gather", dtype<T>(), in_ub(dst), in_ub(src), in_ub(src_offset), 0, shape);
}
template <aicore::c_api::Gathered T>
void asc_gather(__ubuf__ T* dst, __ubuf__ T* src, __ubuf__ uint32_t* src_offset, uint16_t dst_repeat_stride,
                uint8_t repeat) {
    using namespace aicore::c_api;
    aicore::ops::VecShape shape;
    shape.repeats = repeat;
    shape.dst_rep = dst_repeat_stride;
    if (repeat != 0) aicore::ops::gather("asc_gather", dtype<T>(), in_ub(dst), in_ub(src), in_ub(src_offset), 0, shape);
}
template <aicore::c_api::Gathered T>
void asc_gather_sync(__ubuf__ T* dst, __ubuf__ T* src, __ubuf__ uint32_t* src_offset, uint32_t count) {
    asc_gather(dst, src, src_offset, count);
    asc_sync();
}
template <aicore::c_api::Word T>
void asc_gather_datablock(__ubuf__ T* dst, __ubuf__ T* src, __ubuf__ uint32_t* src_offset, uint16_t dst_repeat_stride,
                          uint8_t dst_block_stride, uint8_t repeat) {
    using namespace aicore::c_api;
    if (repeat == 0) return;
    aicore::ops::gather_blocks("asc_gather_datablock", in_ub(dst), in_ub(src), in_ub(src_offset), repeat,
                               dst_block_stride, dst_repeat_stride);
}
template <aicore::c_api::Word T>
void asc_gather_datablock_sync(__ubuf__ T* dst, __ubuf__ T* src, __ubuf__ uint32_t* src_offset,
                               uint16_t dst_repeat_stride, uint8_t dst_block_stride, uint8_t repeat) {
    asc_gather_datablock(dst, src, src_offset, dst_repeat_stride, dst_block_stride, repeat);
    asc_sync();
}

// ---- compaction: what the bits of src1, or those of a pattern, keep

template <aicore::c_api::Word T>
void asc_reduce(__ubuf__ T* dst, __ubuf__ T* src0, __ubuf__ T* src1, uint16_t repeat, uint8_t src0_block_stride,
                uint8_t pattern_mode, uint16_t src0_repeat_stride, uint8_t src1_repeat_stride) {
    using namespace aicore::c_api;
    if (!in_range(pattern_mode, 7, "asc_reduce: pattern_mode is not in 0..7")) return;
    aicore::ops::Squeeze s;
    s.pattern = pattern_mode;
    s.repeats = repeat;
    s.src_blk = src0_block_stride, s.src_rep = src0_repeat_stride, s.bits_rep = src1_repeat_stride;
    s.kept = &state().kept;
    aicore::ops::squeeze("asc_reduce", dtype<T>(), in_ub(dst), in_ub(src0), in_ub(src1), s);
}
template <aicore::c_api::Word T>
void asc_reduce(__ubuf__ T* dst, __ubuf__ T* src0, __ubuf__ T* src1, uint32_t count) {
    using namespace aicore::c_api;
    if (count == 0) return;
    aicore::ops::Squeeze s;
    s.per_repeat = count;
    s.kept = &state().kept;
    aicore::ops::squeeze("asc_reduce", dtype<T>(), in_ub(dst), in_ub(src0), in_ub(src1), s);
}
template <aicore::c_api::Word T>
void asc_reduce_sync(__ubuf__ T* dst, __ubuf__ T* src0, __ubuf__ T* src1, uint32_t count) {
    asc_reduce(dst, src0, src1, count);
    asc_sync();
}
inline int64_t asc_get_rsvd_count() {
    return static_cast<int64_t>(
        aicore::register_read("asc_get_rsvd_count", aicore::Pipe::v, &aicore::c_api::state().kept));
}

#endif
