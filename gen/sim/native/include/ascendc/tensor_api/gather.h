// Rearrangements whose data say what goes where: Gather, Gatherb, Scatter, GatherMask.
// Source: asc-devkit, docs SIMD-API / Memory vector compute, the pages of these names; what the calls leave in the mask
// register of dav-2201: impl/basic_api/dav_c220/kernel_operator_vec_gather{,_mask}_impl.h.
#pragma once

#include "ascendc/tensor_api/vector_call.h"

namespace aicore::ascendc {

using Gathered3510 =
    Types<half, bfloat16_t, float, int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t, int64_t, uint64_t>;
using GatheredByRepeat3510 = Types<half, bfloat16_t, float, int16_t, uint16_t, int32_t, uint32_t, int64_t, uint64_t>;
using Squeezed3510 = Types<half, bfloat16_t, float, int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t>;

inline ops::VecShape first_elements(uint64_t count) {
    ops::VecShape shape;
    shape.count = count;
    return shape;
}

// The lanes that a mask argument selects, for `repeat` repeats.
template <class Mask>
ops::VecShape masked_repeats(Mask mask, uint32_t repeat, size_t elem, const char* counter_mode) {
    if (state().counter_mode) unsupported(counter_mode);
    take_mask(mask, elem);
    ops::VecShape shape;
    shape.repeats = repeat;
    shape.mask[0] = ~state().mask_off[0], shape.mask[1] = ~state().mask_off[1];
    return shape;
}

// Elements of a table must stand at multiples of their size.
inline void check_base(const char* call, uint32_t base, size_t elem) {
    if (base % elem == 0) return;
    const Message message("%s: the base address is %u bytes, which is not a multiple of the %zu bytes of an element",
                          call, base, elem);
    finding("misaligned", message.text, "move the base to a multiple of the element size");
}

// Source: Gather and Gatherb (asc-devkit, docs): source and destination must not be the same memory.
inline void check_not_in_place(const char* call, ops::Mem dst, ops::Mem src, ops::Mem offsets) {
    if (dst.addr != src.addr && dst.addr != offsets.addr) return;
    const Message message("the destination of %s is one of its sources", call);
    finding("operand-overlap", message.text, "give the destination bytes of its own");
}

inline void issue_squeeze(ops::DType type, ops::Mem dst, ops::Mem src, ops::Mem bits, uint8_t pattern, bool counter,
                          uint32_t mask, const AscendC::GatherMaskParams& p, uint64_t& kept) {
    if (!on_aiv()) return;
    if (counter) check_range("GatherMask", "mask", mask, 1, 0xffffffff);
    ops::Squeeze s;
    s.pattern = pattern;
    s.repeats = p.repeatTimes;
    s.per_repeat = counter ? mask : 0;
    s.src_blk = p.src0BlockStride, s.src_rep = p.src0RepeatStride, s.bits_rep = p.src1RepeatStride;
    s.kept = &state().kept;
    ops::squeeze("GatherMask", type, dst, src, bits, s);
    kept = register_read("GetGatherMaskRemainCount", Pipe::v, &state().kept);
    state().counter_mode = false;
    if (kChip == Chip::dav2201) set_lanes({mask, 0});
}

}  // namespace aicore::ascendc

namespace AscendC {

// dst[i] = the element at src + base + offsets[i] bytes.
template <class T>
void Gather(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<uint32_t>& offsets,
            uint32_t base_bytes, uint32_t count) {
    AICORE_TAKES(T, "Gather", aicore::ascendc::Moved, aicore::ascendc::Gathered3510);
    if (!aicore::ascendc::on_aiv() || count == 0) return;
    aicore::ascendc::check_base("Gather", base_bytes, sizeof(T));
    aicore::ascendc::check_not_in_place("Gather", dst.mem(), src.mem(), offsets.mem());
    aicore::ops::gather("Gather", aicore::ascendc::dtype_of<T>(), dst.mem(), src.mem(), offsets.mem(), base_bytes,
                        aicore::ascendc::first_elements(count));
    constexpr uint32_t lanes = 256 / sizeof(T);
    if (__NPU_ARCH__ == 2201) {
        aicore::ascendc::set_lanes(aicore::ascendc::first_lanes(count % lanes == 0 ? lanes : count % lanes));
    }
}
template <class T, class Mask>
void Gather(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<uint32_t>& offsets,
            uint32_t base_bytes, Mask mask, aicore::ascendc::Repeat repeat, uint16_t dst_rep) {
    AICORE_TAKES(T, "Gather", aicore::ascendc::Moved, aicore::ascendc::GatheredByRepeat3510);
    if (!aicore::ascendc::on_aiv()) return;
    aicore::ascendc::check_base("Gather", base_bytes, sizeof(T));
    aicore::ops::VecShape shape =
        aicore::ascendc::masked_repeats(mask, repeat, sizeof(T), "AscendC::Gather(with repeats in counter mode)");
    shape.dst_rep = dst_rep;
    aicore::ascendc::check_not_in_place("Gather", dst.mem(), src.mem(), offsets.mem());
    aicore::ops::gather("Gather", aicore::ascendc::dtype_of<T>(), dst.mem(), src.mem(), offsets.mem(), base_bytes,
                        shape);
}

// Blocks of 32 bytes, 8 in a repeat.
template <class T>
void Gatherb(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<uint32_t>& offsets,
             aicore::ascendc::Repeat repeat, const GatherRepeatParams& params) {
    using On2201 = aicore::ascendc::Types<uint16_t, uint32_t>;
    AICORE_TAKES(T, "Gatherb", On2201, aicore::ascendc::Gathered3510);
    if (!aicore::ascendc::on_aiv()) return;
    aicore::ascendc::check_not_in_place("Gatherb", dst.mem(), src.mem(), offsets.mem());
    const uint32_t block = params.dstBlkStride == 0 ? 1 : params.dstBlkStride;
    aicore::ops::gather_blocks("Gatherb", dst.mem(), src.mem(), offsets.mem(), repeat, block, params.dstRepStride);
    if (__NPU_ARCH__ == 2201) ResetMask();
}

#if __NPU_ARCH__ == 3510
// The element at dst + base + offsets[i] bytes = src[i].
template <class T>
void Scatter(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<uint32_t>& offsets,
             uint32_t base_bytes, uint32_t count) {
    AICORE_TAKES(T, "Scatter", aicore::ascendc::Gathered3510, aicore::ascendc::Gathered3510);
    if (!aicore::ascendc::on_aiv() || count == 0) return;
    aicore::ascendc::check_base("Scatter", base_bytes, sizeof(T));
    aicore::ops::scatter("Scatter", aicore::ascendc::dtype_of<T>(), dst.mem(), src.mem(), offsets.mem(), base_bytes,
                         aicore::ascendc::first_elements(count));
}
template <class T, class Mask>
void Scatter(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<uint32_t>& offsets,
             uint32_t base_bytes, Mask mask, aicore::ascendc::Repeat repeat, uint8_t src_rep) {
    AICORE_TAKES(T, "Scatter", aicore::ascendc::GatheredByRepeat3510, aicore::ascendc::GatheredByRepeat3510);
    if (!aicore::ascendc::on_aiv()) return;
    aicore::ascendc::check_base("Scatter", base_bytes, sizeof(T));
    aicore::ops::VecShape shape =
        aicore::ascendc::masked_repeats(mask, repeat, sizeof(T), "AscendC::Scatter(with repeats in counter mode)");
    shape.src0_rep = src_rep;
    aicore::ops::scatter("Scatter", aicore::ascendc::dtype_of<T>(), dst.mem(), src.mem(), offsets.mem(), base_bytes,
                         shape);
}
#endif

// The elements of src whose bit of the pattern is set, one after the other; `kept` gets their number. reduceMode: each
// repeat takes `mask` elements, otherwise 256 bytes.
template <class T, class U, GatherMaskMode mode = defaultGatherMaskMode>
void GatherMask(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<U>& pattern, bool reduceMode,
                uint32_t mask, const GatherMaskParams& params, uint64_t& kept) {
    AICORE_TAKES(T, "GatherMask", aicore::ascendc::Moved, aicore::ascendc::Squeezed3510);
    static_assert(std::is_unsigned_v<U> && sizeof(U) == sizeof(T),
                  "the pattern of GatherMask has unsigned elements of the size of the data's");
    aicore::ascendc::issue_squeeze(aicore::ascendc::dtype_of<T>(), dst.mem(), src.mem(), pattern.mem(), 0, reduceMode,
                                   mask, params, kept);
}
template <class T, GatherMaskMode mode = defaultGatherMaskMode>
void GatherMask(const LocalTensor<T>& dst, const LocalTensor<T>& src, uint8_t pattern, bool reduceMode, uint32_t mask,
                const GatherMaskParams& params, uint64_t& kept) {
    AICORE_TAKES(T, "GatherMask", aicore::ascendc::Moved, aicore::ascendc::Squeezed3510);
    if (pattern < 1 || pattern > 7) {
        aicore::ascendc::check_range("GatherMask", "src1Pattern", pattern, 1, 7);
        return;
    }
    aicore::ascendc::issue_squeeze(aicore::ascendc::dtype_of<T>(), dst.mem(), src.mem(), {}, pattern, reduceMode, mask,
                                   params, kept);
}
inline int64_t GetGatherMaskRemainCount() {
    if (!aicore::ascendc::on_aiv()) return 0;
    return static_cast<int64_t>(
        aicore::register_read("GetGatherMaskRemainCount", aicore::Pipe::v, &aicore::ascendc::state().kept));
}

}  // namespace AscendC
