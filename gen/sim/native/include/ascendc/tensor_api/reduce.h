// Reductions of the basic API: over a whole vector, per repeat of 256 bytes, per block of 32 bytes, per pair.
// Source: asc-devkit, docs Reduce*; the older names (WholeReduceSum, BlockReduceSum, PairReduceSum) order repeat and
// mask differently in the Block and Pair forms (include/basic_api/kernel_operator_vec_reduce_intf.h).
#pragma once

#include "ascendc/tensor_api/vector_call.h"

namespace aicore::ascendc {

using Summed3510 = Types<half, float, int32_t, uint32_t>;
using Extreme3510 = Types<half, float, int16_t, uint16_t, int32_t, uint32_t>;

inline void issue_reduce_whole(const char* name, ops::Red op, ops::DType type, ops::Mem dst, ops::Mem src, ops::Mem tmp,
                               int64_t count, bool with_index) {
    if (!on_aiv() || count <= 0) return;
    // dav-3510 needs no temporary memory and takes any tensor in its place (docs, ReduceMax, sharedTmpBuffer).
    if (kChip == Chip::dav3510) tmp = {};
    ops::reduce_whole(name, op, type, dst, src, tmp, static_cast<uint64_t>(count),
                      with_index ? ops::RedOut::value_index : ops::RedOut::value);
    mask_after_count();
}

// The sum over a count also stays in a register (docs, GetReduceRepeatSumSpr).
inline void keep_sum(ops::Mem dst, uint32_t bytes) {
    if (!on_aiv()) return;
    state().sum_at = dst.addr + 1;
    state().sum = 0;
    ops::load_register("ReduceSum", &state().sum, dst, bytes, true);
}

// The lanes of a repeat that a reduction takes: from lane 0 on, without holes.
inline uint32_t contiguous_lanes(const ops::VecShape& shape, size_t elem, const char* holes) {
    const uint64_t low = shape.mask[0], high = elem > 2 ? 0 : shape.mask[1];
    const bool contiguous = (low & (low + 1)) == 0 && (high & (high + 1)) == 0 && (high == 0 || low == ~0ull);
    if (!contiguous || low == 0) unsupported(holes);
    const auto lanes = static_cast<uint32_t>(__builtin_popcountll(low) + __builtin_popcountll(high));
    const auto most = static_cast<uint32_t>(256 / elem);
    return lanes < most ? lanes : most;
}

inline ops::Mem forward(ops::Mem mem, uint64_t bytes) {
    mem.addr += bytes;
    return mem;
}

constexpr ops::RedOut output_of(ops::Red op, AscendC::ReduceOrder order) {
    if (op == ops::Red::sum) return ops::RedOut::value;
    constexpr ops::RedOut kOrders[] = {ops::RedOut::value_index, ops::RedOut::index_value, ops::RedOut::value,
                                       ops::RedOut::index};
    return kOrders[static_cast<int>(order)];
}

constexpr uint64_t bytes_of(ops::RedOut out, size_t elem) {
    if (out == ops::RedOut::index) return 4;
    return out == ops::RedOut::value ? elem : 2 * elem;
}

template <bool isSetMask, class T, class Mask>
void issue_reduce_repeat(const char* name, ops::Red op, const AscendC::LocalTensor<T>& dst,
                         const AscendC::LocalTensor<T>& src, Mask mask, int32_t repeat, int32_t dst_rep,
                         int32_t src_blk, int32_t src_rep, AscendC::ReduceOrder order) {
    if (!on_aiv() || repeat <= 0) return;
    check_range(name, "repeatTime", static_cast<uint64_t>(repeat), 0, 255);
    if constexpr (isSetMask) take_mask(mask, sizeof(T));
    const ops::RedOut out = output_of(op, order);
    const auto to = static_cast<uint32_t>(dst_rep), blk = static_cast<uint32_t>(src_blk);
    const auto from = static_cast<uint32_t>(src_rep);
    for_repeats({}, static_cast<uint32_t>(repeat), sizeof(T), [&](const ops::VecShape& shape, uint64_t skipped) {
        ops::reduce_repeat(name, op, dtype_of<T>(), forward(dst.mem(), skipped * to * bytes_of(out, sizeof(T))),
                           skip(src.mem(), skipped * from),
                           contiguous_lanes(shape, sizeof(T), "AscendC::ReduceRepeat(a mask with holes)"),
                           shape.repeats, to, blk, from, out);
    });
}

template <bool isSetMask, class T, class Mask>
void issue_reduce_block(const char* name, ops::Red op, const AscendC::LocalTensor<T>& dst,
                        const AscendC::LocalTensor<T>& src, Mask mask, int32_t repeat, int32_t dst_rep, int32_t src_blk,
                        int32_t src_rep) {
    if (!on_aiv() || repeat <= 0) return;
    check_range(name, "repeatTime", static_cast<uint64_t>(repeat), 0, 255);
    if constexpr (isSetMask) take_mask(mask, sizeof(T));
    const auto to = static_cast<uint32_t>(dst_rep), blk = static_cast<uint32_t>(src_blk);
    const auto from = static_cast<uint32_t>(src_rep);
    for_repeats({}, static_cast<uint32_t>(repeat), sizeof(T), [&](const ops::VecShape& shape, uint64_t skipped) {
        ops::reduce_block(name, op, dtype_of<T>(), forward(dst.mem(), skipped * to * 8 * sizeof(T)),
                          skip(src.mem(), skipped * from),
                          contiguous_lanes(shape, sizeof(T), "AscendC::ReduceDataBlock(a mask with holes)"),
                          shape.repeats, to, blk, from);
    });
}

// Repeats that are full and follow each other, as a number of elements.
template <class T, class Mask>
int32_t count_of_repeats(const char* what, Mask mask, int32_t repeat, int32_t stride) {
    constexpr int32_t lanes = 256 / sizeof(T);
    bool full = false;
    if constexpr (std::is_pointer_v<Mask>) {
        full = mask[0] == ~0ull && (lanes == 64 || mask[1] == ~0ull);
    } else {
        full = static_cast<int32_t>(mask) == lanes;
    }
    if (!full || (stride != 8 && repeat > 1)) unsupported(what);
    return repeat * lanes;
}

template <bool isSetMask, class T, class Mask>
void issue_reduce_pairs(const char* name, const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<T>& src,
                        Mask mask, int32_t repeat, int32_t dst_rep, int32_t src_blk, int32_t src_rep) {
    if (!on_aiv() || repeat <= 0) return;
    check_range(name, "repeatTime", static_cast<uint64_t>(repeat), 0, 255);
    if constexpr (isSetMask) take_mask(mask, sizeof(T));
    const auto to = static_cast<uint32_t>(dst_rep), blk = static_cast<uint32_t>(src_blk);
    const auto from = static_cast<uint32_t>(src_rep);
    for_repeats({}, static_cast<uint32_t>(repeat), sizeof(T), [&](const ops::VecShape& shape, uint64_t skipped) {
        ops::reduce_pairs(name, dtype_of<T>(), forward(dst.mem(), skipped * to * 128), skip(src.mem(), skipped * from),
                          contiguous_lanes(shape, sizeof(T), "AscendC::ReducePairElem(a mask with holes)"),
                          shape.repeats, to, blk, from);
    });
}

constexpr ops::Red op_of(AscendC::ReduceType type) {
    return type == AscendC::ReduceType::SUM   ? ops::Red::sum
           : type == AscendC::ReduceType::MAX ? ops::Red::max
                                              : ops::Red::min;
}

}  // namespace aicore::ascendc

namespace AscendC {

// dst[0] = the reduction of `count` elements; with calIndex dst[1] holds the bits of the index.
template <class T, bool isSetMask = true>
void ReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<T>& tmp, int32_t count) {
    AICORE_TAKES(T, "ReduceSum", aicore::ascendc::Floats, aicore::ascendc::Summed3510);
    if (count <= 0) return;
    aicore::ascendc::issue_reduce_whole("ReduceSum", aicore::ops::Red::sum, aicore::ascendc::dtype_of<T>(), dst.mem(),
                                        src.mem(), tmp.mem(), count, false);
    aicore::ascendc::keep_sum(dst.mem(), sizeof(T));
}
template <class T>
T GetReduceRepeatSumSpr() {
    AICORE_TAKES(T, "GetReduceRepeatSumSpr", aicore::ascendc::Floats, aicore::ascendc::Floats);
    if (!aicore::ascendc::on_aiv() || aicore::ascendc::state().sum_at == 0) return T(0.0f);
    // The scalar unit must have waited for the sum, which is where the instruction stored it, too.
    aicore::Region at;
    at.space = aicore::Space::ub;
    at.align = sizeof(T);
    at.base = aicore::ascendc::state().sum_at - 1;
    at.row_bytes = sizeof(T);
    aicore::scalar_read("GetReduceRepeatSumSpr", at);
    T value;
    std::memcpy(&value, &aicore::ascendc::state().sum, sizeof value);
    return value;
}
template <class T>
void ReduceMax(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<T>& tmp, int32_t count,
               bool calIndex = false) {
    AICORE_TAKES(T, "ReduceMax", aicore::ascendc::Floats, aicore::ascendc::Extreme3510);
    aicore::ascendc::issue_reduce_whole("ReduceMax", aicore::ops::Red::max, aicore::ascendc::dtype_of<T>(), dst.mem(),
                                        src.mem(), tmp.mem(), count, calIndex);
}
template <class T>
void ReduceMin(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<T>& tmp, int32_t count,
               bool calIndex = false) {
    AICORE_TAKES(T, "ReduceMin", aicore::ascendc::Floats, aicore::ascendc::Extreme3510);
    aicore::ascendc::issue_reduce_whole("ReduceMin", aicore::ops::Red::min, aicore::ascendc::dtype_of<T>(), dst.mem(),
                                        src.mem(), tmp.mem(), count, calIndex);
}
// The repeat forms reduce the results of the repeats by repeats again (docs, ReduceSum, order of the sum), in `tmp`.
template <class T, class Mask>
void ReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<T>& tmp, Mask mask,
               int32_t repeat, int32_t srcRepStride) {
    AICORE_TAKES(T, "ReduceSum", aicore::ascendc::Floats, aicore::ascendc::Floats);
    if (!aicore::ascendc::on_aiv() || repeat <= 0) return;
    constexpr int32_t lanes = 256 / sizeof(T);
    if (repeat > lanes) aicore::unsupported("AscendC::ReduceSum(more repeats than a repeat has elements)");
    const LocalTensor<T>& partial = repeat == 1 ? dst : tmp;
    aicore::ascendc::issue_reduce_repeat<true>("ReduceSum", aicore::ops::Red::sum, partial, src, mask, repeat, 1, 1,
                                               srcRepStride, ReduceOrder::ORDER_ONLY_VALUE);
    if (repeat == 1) return;
    if (aicore::ascendc::kChip == aicore::Chip::dav2201) aicore::pipe_barrier(aicore::Pipe::v);
    aicore::ascendc::issue_reduce_repeat<true>("ReduceSum", aicore::ops::Red::sum, dst, tmp, repeat, 1, 1, 1, 8,
                                               ReduceOrder::ORDER_ONLY_VALUE);
}
template <class T, class Mask>
void ReduceMax(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<T>& tmp, Mask mask,
               int32_t repeat, int32_t srcRepStride, bool calIndex = false) {
    AICORE_TAKES(T, "ReduceMax", aicore::ascendc::Floats, aicore::ascendc::Extreme3510);
    ReduceMax(
        dst, src, tmp,
        aicore::ascendc::count_of_repeats<T>("AscendC::ReduceMax(with a mask or strides)", mask, repeat, srcRepStride),
        calIndex);
}
template <class T, class Mask>
void ReduceMin(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<T>& tmp, Mask mask,
               int32_t repeat, int32_t srcRepStride, bool calIndex = false) {
    AICORE_TAKES(T, "ReduceMin", aicore::ascendc::Floats, aicore::ascendc::Extreme3510);
    ReduceMin(
        dst, src, tmp,
        aicore::ascendc::count_of_repeats<T>("AscendC::ReduceMin(with a mask or strides)", mask, repeat, srcRepStride),
        calIndex);
}

// One result per repeat.
template <ReduceType type, class T, class U, bool isSetMask = true, class Mask>
void ReduceRepeat(const LocalTensor<T>& dst, const LocalTensor<U>& src, Mask mask, int32_t repeat, int32_t dstRepStride,
                  int32_t srcBlkStride, int32_t srcRepStride, ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX) {
    static_assert(std::is_same_v<T, U>, "ReduceRepeat is modelled for equal types of dst and src");
    AICORE_TAKES(T, "ReduceRepeat", aicore::ascendc::Floats, aicore::ascendc::Extreme3510);
    aicore::ascendc::issue_reduce_repeat<isSetMask>("ReduceRepeat", aicore::ascendc::op_of(type), dst, src, mask,
                                                    repeat, dstRepStride, srcBlkStride, srcRepStride, order);
}
// One result per block; unlike the older names, mask before repeat.
template <ReduceType type, class T, class U, bool isSetMask = true, class Mask>
void ReduceDataBlock(const LocalTensor<T>& dst, const LocalTensor<U>& src, Mask mask, int32_t repeat,
                     int32_t dstRepStride, int32_t srcBlkStride, int32_t srcRepStride) {
    static_assert(std::is_same_v<T, U>, "ReduceDataBlock is modelled for equal types of dst and src");
    AICORE_TAKES(T, "ReduceDataBlock", aicore::ascendc::Floats, aicore::ascendc::Floats);
    aicore::ascendc::issue_reduce_block<isSetMask>("ReduceDataBlock", aicore::ascendc::op_of(type), dst, src, mask,
                                                   repeat, dstRepStride, srcBlkStride, srcRepStride);
}

#define AICORE_OLD_REDUCTIONS(SUFFIX, OP)                                                                          \
    template <class T, bool isSetMask = true, class Mask>                                                          \
    void WholeReduce##SUFFIX(const LocalTensor<T>& dst, const LocalTensor<T>& src, Mask mask, int32_t repeat,      \
                             int32_t dstRepStride, int32_t srcBlkStride, int32_t srcRepStride,                     \
                             ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX) {                                 \
        AICORE_TAKES(T, "WholeReduce" #SUFFIX, ::aicore::ascendc::Floats, ::aicore::ascendc::Extreme3510);         \
        ::aicore::ascendc::issue_reduce_repeat<isSetMask>("WholeReduce" #SUFFIX, ::aicore::ops::Red::OP, dst, src, \
                                                          mask, repeat, dstRepStride, srcBlkStride, srcRepStride,  \
                                                          order);                                                  \
    }                                                                                                              \
    template <class T, bool isSetMask = true, class Mask>                                                          \
    void BlockReduce##SUFFIX(const LocalTensor<T>& dst, const LocalTensor<T>& src, int32_t repeat, Mask mask,      \
                             int32_t dstRepStride, int32_t srcBlkStride, int32_t srcRepStride) {                   \
        AICORE_TAKES(T, "BlockReduce" #SUFFIX, ::aicore::ascendc::Floats, ::aicore::ascendc::Floats);              \
        ::aicore::ascendc::issue_reduce_block<isSetMask>("BlockReduce" #SUFFIX, ::aicore::ops::Red::OP, dst, src,  \
                                                         mask, repeat, dstRepStride, srcBlkStride, srcRepStride);  \
    }
AICORE_OLD_REDUCTIONS(Sum, sum)
AICORE_OLD_REDUCTIONS(Max, max)
AICORE_OLD_REDUCTIONS(Min, min)
#undef AICORE_OLD_REDUCTIONS

template <class T, bool isSetMask = true, class Mask>
void RepeatReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src, int32_t repeat, Mask mask,
                     int32_t dstBlkStride, int32_t srcBlkStride, int32_t dstRepStride, int32_t srcRepStride) {
    AICORE_TAKES(T, "RepeatReduceSum", aicore::ascendc::Floats, aicore::ascendc::Floats);
    if (dstBlkStride != 0) aicore::unsupported("AscendC::RepeatReduceSum(dstBlkStride other than 0)");
    aicore::ascendc::issue_reduce_repeat<isSetMask>("RepeatReduceSum", aicore::ops::Red::sum, dst, src, mask, repeat,
                                                    dstRepStride, srcBlkStride, srcRepStride,
                                                    ReduceOrder::ORDER_ONLY_VALUE);
}
// Sums of neighbours; the older name has repeat before mask.
template <ReduceType type, class T, class U, bool isSetMask = true, class Mask>
void ReducePairElem(const LocalTensor<T>& dst, const LocalTensor<U>& src, Mask mask, int32_t repeat,
                    int32_t dstRepStride, int32_t srcBlkStride, int32_t srcRepStride) {
    static_assert(std::is_same_v<T, U> && type == ReduceType::SUM, "ReducePairElem sums elements of one type");
    AICORE_TAKES(T, "ReducePairElem", aicore::ascendc::Floats, aicore::ascendc::Floats);
    aicore::ascendc::issue_reduce_pairs<isSetMask>("ReducePairElem", dst, src, mask, repeat, dstRepStride, srcBlkStride,
                                                   srcRepStride);
}
template <class T, bool isSetMask = true, class Mask>
void PairReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src, int32_t repeat, Mask mask,
                   int32_t dstRepStride, int32_t srcBlkStride, int32_t srcRepStride) {
    AICORE_TAKES(T, "PairReduceSum", aicore::ascendc::Floats, aicore::ascendc::Floats);
    aicore::ascendc::issue_reduce_pairs<isSetMask>("PairReduceSum", dst, src, mask, repeat, dstRepStride, srcBlkStride,
                                                   srcRepStride);
}

}  // namespace AscendC
