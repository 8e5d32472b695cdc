// How a vector instruction is called: which element types it takes, which lanes a mask selects, and its three forms
// (the first `count` elements; repeats of 256 bytes with a mask as a number of lanes; the same with a mask as bits).
// Source: asc-devkit, docs SIMD-API / Memory vector compute and mask operations; impl/basic_api/kernel_utils_base.h.
#pragma once

#include "ascendc/tensor_api/argument_range.h"
#include "ascendc/tensor_api/params.h"
#include "ascendc/tensor_api/tensor.h"

namespace aicore::ascendc {

template <class...>
struct Types {};
template <class T, class... Ts>
constexpr bool contains(Types<Ts...>) {
    return (std::is_same_v<T, Ts> || ...);
}
template <class T, class On2201, class On3510>
inline constexpr bool takes = contains<T>(std::conditional_t<kChip == Chip::dav2201, On2201, On3510>{});

using Floats = Types<half, float>;
using FloatsAndBf16 = Types<half, bfloat16_t, float>;
using Moved = Types<half, bfloat16_t, float, int16_t, uint16_t, int32_t, uint32_t>;
using MovedOrByte = Types<half, bfloat16_t, float, bool, int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t>;

// `MEANS` says what to write instead.
#define AICORE_TAKES(T, NAME, ON_2201, ON_3510)                                                        \
    static_assert(::aicore::ascendc::takes<T, ON_2201, ON_3510>, NAME                                  \
                  " has no form for this element type on this chip; an Ascend 910B has no bfloat16_t " \
                  "arithmetic: Cast to float, compute, Cast back")

// ---- masks
// ------------------------------------------------------------------------------------------------------------

struct Lanes {
    uint64_t low = 0, high = 0;
};

inline Lanes first_lanes(uint64_t count) {
    if (count >= 128) return {~0ull, ~0ull};
    if (count >= 64) return {~0ull, count == 64 ? 0 : (1ull << (count - 64)) - 1};
    return {(1ull << count) - 1, 0};
}

inline void set_lanes(Lanes lanes) {
    state().mask_off[0] = ~lanes.low;
    state().mask_off[1] = ~lanes.high;
}

// The mask argument of a call: a number (of lanes, or of elements in counter mode) or two words of bits, of which
// elements of 4 bytes and more need the first only.
template <class Mask>
void take_mask(Mask mask, size_t elem) {
    if constexpr (std::is_pointer_v<Mask>) {
        set_lanes({mask[0], elem > 2 ? 0 : mask[1]});
    } else {
        const auto number = static_cast<uint64_t>(mask);
        if (!state().counter_mode)
            check_range("a vector instruction", "mask (a number of lanes)", number, 1, 256 / elem);
        set_lanes(state().counter_mode ? Lanes{number, 0} : first_lanes(number));
    }
}

// ---- the forms
// --------------------------------------------------------------------------------------------------------

struct VectorCall {
    const char* name;
    ops::VecOp op;
    ops::DType type;
    ops::Mem dst, src0, src1;
    double scalar = 0;
};

inline void run(const VectorCall& call, const ops::VecShape& shape) {
    ops::vec(call.name, call.op, call.type, call.dst, call.src0, call.src1, call.scalar, shape);
}

// A call with a count sets the mask itself and leaves every lane on (dav_c220/kernel_operator_vec_binary_impl.h).
inline void mask_after_count() {
    if (kChip != Chip::dav2201) return;
    state().counter_mode = false;
    set_lanes({~0ull, ~0ull});
}

inline void run_count(const VectorCall& call, int64_t count) {
    if (!on_aiv() || count <= 0) return;
    ops::VecShape shape;
    shape.count = static_cast<uint64_t>(count);
    run(call, shape);
    mask_after_count();
}

// Calls `part(shape, skipped repeats)` for the lanes of the mask register. In counter mode the register holds a number
// of elements and `repeat` is ignored.
template <class Part>
void for_repeats(ops::VecShape shape, uint32_t repeat, size_t elem, Part part) {
    const CoreState& me = state();
    const Lanes lanes{~me.mask_off[0], ~me.mask_off[1]};
    if (!me.counter_mode) {
        shape.repeats = repeat;
        shape.mask[0] = lanes.low, shape.mask[1] = lanes.high;
        if (repeat != 0) part(shape, 0);
        return;
    }
    const uint64_t per_repeat = 256 / elem, whole = lanes.low / per_repeat;
    shape.repeats = static_cast<uint32_t>(whole);
    if (whole != 0) part(shape, 0);
    const Lanes tail = first_lanes(lanes.low % per_repeat);
    shape.repeats = 1;
    shape.mask[0] = tail.low, shape.mask[1] = tail.high;
    if (tail.low != 0) part(shape, whole);
}

inline ops::Mem skip(ops::Mem mem, uint64_t blocks) {
    mem.addr += blocks * 32;
    return mem;
}

inline void run_repeats(const VectorCall& call, const ops::VecShape& strides, uint32_t repeat, size_t elem) {
    for_repeats(strides, repeat, elem, [&](const ops::VecShape& shape, uint64_t skipped) {
        VectorCall part = call;
        part.dst = skip(call.dst, skipped * strides.dst_rep);
        if (call.src0.space == Space::ub) part.src0 = skip(call.src0, skipped * strides.src0_rep);
        if (call.src1.space == Space::ub) part.src1 = skip(call.src1, skipped * strides.src1_rep);
        run(part, shape);
    });
}

template <bool isSetMask, class Mask>
void run_masked(const VectorCall& call, Mask mask, const ops::VecShape& strides, uint32_t repeat, size_t elem) {
    if (!on_aiv()) return;
    if constexpr (isSetMask) take_mask(mask, elem);
    run_repeats(call, strides, repeat, elem);
}

// A temporary buffer of the instruction that was just emitted: what it holds afterwards is undefined.
inline void clobber(const char* name, ops::Mem tmp, uint64_t bytes) {
    if (tmp.space != Space::ub) return;
    Instr scratch;
    scratch.name = name;
    scratch.pipe = Pipe::v;
    scratch.continues = true;
    Region region;
    region.space = Space::ub;
    region.write = true;
    region.junk = true;
    region.base = tmp.addr;
    region.row_bytes = tmp.hi > tmp.addr && tmp.hi - tmp.addr < bytes ? tmp.hi - tmp.addr : bytes;
    region.lo = tmp.lo, region.hi = tmp.hi;
    scratch.add(region);
    scratch.set_params(region.row_bytes);
    scratch.body = [](const void* size, uint8_t* const* at) {
        uint64_t count;
        std::memcpy(&count, size, sizeof count);
        poison(at[0], count);
    };
    emit(scratch);
}

inline ops::VecShape strides_of(const AscendC::BinaryRepeatParams& p) {
    ops::VecShape shape;
    shape.dst_blk = p.dstBlkStride, shape.src0_blk = p.src0BlkStride, shape.src1_blk = p.src1BlkStride;
    shape.dst_rep = p.dstRepStride, shape.src0_rep = p.src0RepStride, shape.src1_rep = p.src1RepStride;
    return shape;
}
inline ops::VecShape strides_of(const AscendC::UnaryRepeatParams& p) {
    ops::VecShape shape;
    shape.dst_blk = p.dstBlkStride, shape.src0_blk = p.srcBlkStride;
    shape.dst_rep = p.dstRepStride, shape.src0_rep = p.srcRepStride;
    return shape;
}

}  // namespace aicore::ascendc

namespace AscendC {

inline constexpr uint64_t MASK_PLACEHOLDER = 0;
inline constexpr uint64_t MASK_PLACEHOLDER_LIST[2] = {0, 0};

inline void SetMaskCount() { aicore::ascendc::state().counter_mode = true; }
inline void SetMaskNorm() { aicore::ascendc::state().counter_mode = false; }
inline void ResetMask() { aicore::ascendc::set_lanes({~0ull, ~0ull}); }
template <class T, MaskMode mode = MaskMode::NORMAL>
void SetVectorMask(uint64_t high, uint64_t low) {
    aicore::ascendc::set_lanes({low, high});
}
template <class T, MaskMode mode = MaskMode::NORMAL>
void SetVectorMask(int32_t length) {
    const auto number = static_cast<uint64_t>(length);
    aicore::ascendc::set_lanes(mode == MaskMode::COUNTER ? aicore::ascendc::Lanes{number, 0}
                                                         : aicore::ascendc::first_lanes(number));
}

}  // namespace AscendC
