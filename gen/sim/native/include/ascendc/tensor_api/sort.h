// Sorting pairs of a score and an index by falling score: Sort32, MrgSort, and Sort with what goes with it.
// Source: asc-devkit, docs SIMD-API / Memory vector compute, sorting; advanced API, sorting; the steps of a full Sort:
// impl/basic_api/dav_c220/kernel_operator_proposal_impl.h.
#pragma once

#include "ascendc/tensor_api/data_copy.h"
#include "ascendc/tensor_api/gather.h"
#include "ascendc/tensor_api/sync.h"

namespace AscendC {

template <class T>
struct MrgSortSrcList {
    MrgSortSrcList() = default;
    MrgSortSrcList(const LocalTensor<T>& first, const LocalTensor<T>& second, const LocalTensor<T>& third,
                   const LocalTensor<T>& fourth)
        : src1(first), src2(second), src3(third), src4(fourth) {}

    LocalTensor<T> src1, src2, src3, src4;
};

}  // namespace AscendC

namespace aicore::ascendc {

inline constexpr uint32_t kPairBytes = 8;
template <class T>
inline constexpr uint32_t kPairElements = kPairBytes / sizeof(T);

// The repeats take effect only where four lists of one length follow each other and no list ends the merge (docs,
// MrgSort, repeatTimes).
inline uint32_t merge_repeats(const ops::Mem (&lists)[4], const AscendC::MrgSort4Info& info) {
    bool in_a_row = info.validBit == 15 && !info.ifExhaustedSuspension;
    for (int i = 1; i < 4; ++i) {
        in_a_row = in_a_row && info.elementLengths[i] == info.elementLengths[0] &&
                   lists[i].addr == lists[i - 1].addr + info.elementLengths[0] * kPairBytes;
    }
    return info.repeatTimes == 0 || in_a_row ? info.repeatTimes : 1;
}

// False when it is negative, which no call sorts.
inline bool check_times(const char* call, int32_t repeat) {
    if (repeat >= 0) return true;
    const Message message("%s: repeatTime is %d, and takes 0 to 255", call, repeat);
    finding("argument-range", message.text, "sort a number of repeats that is not negative");
    return false;
}

inline void check_sorted_apart(const ops::Mem& dst, const ops::Mem& src, uint64_t src_bytes, uint32_t repeat) {
    if (!ops::overlap(dst, uint64_t{repeat} * 32 * kPairBytes, src, src_bytes)) return;
    finding("operand-overlap", "the destination of Sort32 overlaps a source", "give the pairs bytes of their own");
}

inline void check_apart(const ops::Mem& dst, uint64_t dst_bytes, const ops::Mem& list, uint64_t bytes) {
    if (!ops::overlap(dst, dst_bytes, list, bytes)) return;
    finding("operand-overlap", "the destination of MrgSort overlaps a list that it merges",
            "merge into bytes of its own");
}

inline void issue_merge(ops::DType type, ops::Mem dst, const ops::Mem (&lists)[4], const AscendC::MrgSort4Info& info) {
    const bool known = info.validBit == 3 || info.validBit == 7 || info.validBit == 15;
    if (!known) {
        const Message message(
            "MrgSort: validBit is %u, and the instruction takes 3, 7 or 15 (two, three or four lists)", info.validBit);
        finding("argument-range", message.text, "name the lists from the first one on");
        return;
    }
    ops::Merge m;
    m.lists = static_cast<uint32_t>(__builtin_popcount(info.validBit));
    m.suspend = info.ifExhaustedSuspension;
    m.repeats = merge_repeats(lists, info);
    m.taken = &state().merged;
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < m.lists; ++i) {
        check_range("MrgSort", "elementLengths", info.elementLengths[i], 0, 4095);
        m.lengths[i] = info.elementLengths[i];
        bytes += uint64_t{m.lengths[i]} * kPairBytes * m.repeats;
    }
    for (uint32_t i = 0; i < m.lists; ++i) check_apart(dst, bytes, lists[i], uint64_t{m.lengths[i]} * kPairBytes);
    ops::merge_sorted("MrgSort", type, dst, lists, m);
}

}  // namespace aicore::ascendc

namespace AscendC {

// `repeat` times 32 pairs of scores and indices.
template <class T>
void Sort32(const LocalTensor<T>& dst, const LocalTensor<T>& scores, const LocalTensor<uint32_t>& indices,
            int32_t repeat) {
    AICORE_TAKES(T, "Sort32", aicore::ascendc::Floats, aicore::ascendc::Floats);
    if (!aicore::ascendc::on_aiv() || !aicore::ascendc::check_times("Sort32", repeat) || repeat == 0) return;
    aicore::ascendc::check_range("Sort32", "repeatTime", static_cast<uint64_t>(repeat), 0, 255);
    const auto times = static_cast<uint32_t>(repeat);
    aicore::ascendc::check_sorted_apart(dst.mem(), scores.mem(), uint64_t{times} * 32 * sizeof(T), times);
    aicore::ascendc::check_sorted_apart(dst.mem(), indices.mem(), uint64_t{times} * 32 * sizeof(uint32_t), times);
    aicore::ops::sort32("Sort32", aicore::ascendc::dtype_of<T>(), dst.mem(), scores.mem(), indices.mem(),
                        static_cast<uint32_t>(repeat));
}

// Merges up to four sorted lists.
template <class T>
void MrgSort(const LocalTensor<T>& dst, const MrgSortSrcList<T>& src, const MrgSort4Info& params) {
    AICORE_TAKES(T, "MrgSort", aicore::ascendc::Floats, aicore::ascendc::Floats);
    if (!aicore::ascendc::on_aiv()) return;
    // A list that does not take part may be an empty tensor.
    const aicore::ops::Mem lists[4] = {src.src1.mem(), src.src2.mem(), src.src3.mem(), src.src4.mem()};
    aicore::ascendc::issue_merge(aicore::ascendc::dtype_of<T>(), dst.mem(), lists, params);
}
// How many pairs of each list the last MrgSort took.
inline void GetMrgSortResult(uint16_t& list1, uint16_t& list2, uint16_t& list3, uint16_t& list4) {
    if (!aicore::ascendc::on_aiv()) return;
    const uint64_t taken = aicore::register_read("GetMrgSortResult", aicore::Pipe::v, &aicore::ascendc::state().merged);
    uint16_t* const lists[4] = {&list1, &list2, &list3, &list4};
    for (int i = 0; i < 4; ++i) *lists[i] = static_cast<uint16_t>(taken >> (16 * i));
}
template <class T, bool isExhaustedSuspension = false>
void MrgSort(const LocalTensor<T>& dst, const MrgSortSrcList<T>& lists, const uint16_t elementCountList[4],
             uint32_t sortedNum[4], uint16_t validBit, int32_t repeatTime) {
    MrgSort(dst, lists,
            MrgSort4Info(elementCountList, isExhaustedSuspension, validBit, static_cast<uint16_t>(repeatTime)));
    if (!isExhaustedSuspension || !aicore::ascendc::on_aiv()) return;
    uint16_t taken[4];
    GetMrgSortResult(taken[0], taken[1], taken[2], taken[3]);
    for (int i = 0; i < 4; ++i) sortedNum[i] = taken[i];
}

// ---- the advanced API
// ------------------------------------------------------------------------------------------------

// Offset of a pair, and length of so many pairs, in elements of a sorted tensor.
template <class T>
uint32_t GetSortOffset(uint32_t pairs) {
    return pairs * aicore::ascendc::kPairElements<T>;
}
template <class T>
uint32_t GetSortLen(uint32_t pairs) {
    return pairs * aicore::ascendc::kPairElements<T>;
}

// These chips sort scores as they are.
template <class T>
void Concat(LocalTensor<T>& concat, const LocalTensor<T>& src, const LocalTensor<T>& tmp, int32_t repeatTime) {
    static_cast<void>(tmp);
    aicore::ascendc::check_range("Concat", "repeatTime", static_cast<uint64_t>(repeatTime), 0, 255);
    concat = src;
}

}  // namespace AscendC

namespace aicore::ascendc {

// One round of a full Sort: lists of `length` pairs in `tmp`, the last one shorter, to lists of four times that in dst.
template <class T>
void merge_round(const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<T>& tmp, uint32_t pairs,
                 uint32_t length) {
    const uint32_t whole = pairs / (4 * length), step = length * kPairElements<T>;
    const auto lists_at = [&](uint32_t first, uint32_t count) {
        const auto list = [&](uint32_t i) { return i < count ? tmp[first + i * step] : tmp[0]; };
        return AscendC::MrgSortSrcList<T>(list(0), list(1), list(2), list(3));
    };
    if (whole > 0) {
        const auto n = static_cast<uint16_t>(length);
        const uint16_t lengths[4] = {n, n, n, n};
        AscendC::MrgSort(dst, lists_at(0, 4), AscendC::MrgSort4Info(lengths, false, 15, static_cast<uint16_t>(whole)));
        AscendC::PipeBarrier<PIPE_V>();
    }
    const uint32_t done = whole * 4 * length, rest = pairs - done;
    const uint32_t first = done * kPairElements<T>;
    const uint32_t lists = (rest + length - 1) / length;
    if (lists == 1) AscendC::DataCopy(dst[first], tmp[first], rest * kPairElements<T>);
    if (lists < 2) return;
    uint16_t lengths[4] = {};
    for (uint32_t i = 0; i < lists; ++i) lengths[i] = static_cast<uint16_t>(i + 1 < lists ? length : rest - i * length);
    const auto valid = static_cast<uint16_t>((1u << lists) - 1);
    AscendC::MrgSort(dst[first], lists_at(first, lists), AscendC::MrgSort4Info(lengths, false, valid, 1));
}

}  // namespace aicore::ascendc

namespace AscendC {

// Lists of 32 pairs, or with isFullSort one of all pairs.
template <class T, bool isFullSort>
void Sort(const LocalTensor<T>& dst, const LocalTensor<T>& concat, const LocalTensor<uint32_t>& index,
          LocalTensor<T>& tmp, int32_t repeatTime) {
    Sort32(dst, concat, index, repeatTime);
    if constexpr (isFullSort) {
        if (!aicore::ascendc::on_aiv() || repeatTime <= 0) return;
        const auto pairs = static_cast<uint32_t>(repeatTime) * 32;
        PipeBarrier<PIPE_V>();
        for (uint32_t length = 32; length < pairs; length *= 4) {
            DataCopy(tmp, dst, pairs * aicore::ascendc::kPairElements<T>);
            PipeBarrier<PIPE_V>();
            aicore::ascendc::merge_round(dst, tmp, pairs, length);
            PipeBarrier<PIPE_V>();
        }
    }
}

// Scores and indices of sorted pairs, 32 of them (half: 64 bytes of scores) in a repeat.
template <class T>
void Extract(const LocalTensor<T>& dstValue, const LocalTensor<uint32_t>& dstIndex, const LocalTensor<T>& sorted,
             int32_t repeatTime) {
    AICORE_TAKES(T, "Extract", aicore::ascendc::Floats, aicore::ascendc::Floats);
    if (!aicore::ascendc::on_aiv() || !aicore::ascendc::check_times("Extract", repeatTime) || repeatTime == 0) return;
    aicore::ascendc::check_range("Extract", "repeatTime", static_cast<uint64_t>(repeatTime), 0, 255);
    constexpr uint8_t kScores = sizeof(T) == 2 ? 3 : 1, kIndices = 2;
    const auto repeats = static_cast<uint16_t>(repeatTime);
    uint64_t kept = 0;
    GatherMask(dstValue, sorted, kScores, false, 0, GatherMaskParams(1, repeats, 8, 0), kept);
    PipeBarrier<PIPE_V>();
    GatherMask(dstIndex, sorted.template ReinterpretCast<uint32_t>(), kIndices, false, 0,
               GatherMaskParams(1, repeats, 8, 0), kept);
}

}  // namespace AscendC
