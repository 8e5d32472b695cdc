// Calls of dav-3510 whose scalar stands on either side, as a number or as one element of a tensor: Adds, Subs, Muls,
// Divs, Maxs, Mins, Ands, Ors; and shifts by a tensor. Source: asc-devkit, docs SIMD-API / Memory vector compute, the
// pages of these names ("flexible position of the scalar") with the types that each takes.
#pragma once

#include "ascendc/tensor_api/compare.h"
#include "ascendc/tensor_api/vector.h"

namespace aicore::ascendc {

using FlexibleSum = Types<uint8_t, int8_t, half, bfloat16_t, int16_t, float, int32_t, uint64_t, int64_t>;
using FlexibleDifference = Types<half, bfloat16_t, int16_t, float, int32_t, uint64_t, int64_t>;
using FlexibleQuotient = Types<half, float, uint64_t, int64_t>;
using FlexibleBits = Types<int16_t, uint16_t, int64_t, uint64_t>;

template <class T>
struct Operand {
    static constexpr bool is_tensor = false;
    using Element = T;
};
template <class T>
struct Operand<AscendC::LocalTensor<T>> {
    static constexpr bool is_tensor = true;
    using Element = T;
};

// One of two sources is a tensor, and what the old forms do not take: a scalar in front, or two tensors.
template <class First, class Second>
inline constexpr bool is_flexible = Operand<Second>::is_tensor;

template <class>
inline constexpr bool has_flexible_scalars = __NPU_ARCH__ == 3510;

// A call as an instruction on a tensor and a scalar.
template <class T>
struct FlexibleCall {
    ops::Mem src;
    ops::ScalarOperand scalar;

    template <class First, class Second>
    FlexibleCall(const First& first, const Second& second, const AscendC::BinaryConfig& config) {
        static_assert(Operand<First>::is_tensor || Operand<Second>::is_tensor, "one of the two sources is a tensor");
        static_assert(
            std::is_same_v<typename Operand<First>::Element, T> && std::is_same_v<typename Operand<Second>::Element, T>,
            "both sources have the element type of the destination; write T(scalar)");
        if constexpr (!Operand<First>::is_tensor) {
            scalar.bits = bits_of<T>(first), scalar.first = true;
            src = second.mem();
        } else if constexpr (!Operand<Second>::is_tensor) {
            scalar.bits = bits_of<T>(second);
            src = first.mem();
        } else {
            scalar.first = config.scalarTensorIndex == 0;
            scalar.one = (scalar.first ? first : second).mem();
            src = (scalar.first ? second : first).mem();
        }
    }
};

template <class T>
void run_flexible(const char* name, ops::VecOp op, Tensor<T> dst, const FlexibleCall<T>& call, int64_t count) {
    if (!on_aiv() || count <= 0) return;
    ops::VecShape shape;
    shape.count = static_cast<uint64_t>(count);
    ops::vec_with_scalar(name, op, dtype_of<T>(), dst.mem(), call.src, call.scalar, shape);
}

template <bool isSetMask, class T, class Mask>
void run_flexible(const char* name, ops::VecOp op, Tensor<T> dst, const FlexibleCall<T>& call, Mask mask,
                  uint32_t repeat, const AscendC::UnaryRepeatParams& params) {
    static_assert(sizeof(T) == 2 || sizeof(T) == 4, "elements of 1 and 8 bytes have the form with a count only");
    if (!on_aiv()) return;
    if constexpr (isSetMask) take_mask(mask, sizeof(T));
    const ops::VecShape strides = strides_of(params);
    for_repeats(strides, repeat, sizeof(T), [&](const ops::VecShape& shape, uint64_t skipped) {
        ops::vec_with_scalar(name, op, dtype_of<T>(), skip(dst.mem(), skipped * strides.dst_rep),
                             skip(call.src, skipped * strides.src0_rep), call.scalar, shape);
    });
}

}  // namespace aicore::ascendc

namespace AscendC {

#define AICORE_FLEXIBLE(NAME, OP, TYPES, ONLY)                                                                        \
    template <class T = BinaryDefaultType, bool isSetMask = true, const BinaryConfig& config = DEFAULT_BINARY_CONFIG, \
              class U, class S, class V, class = std::enable_if_t<ONLY>>                                              \
    void NAME(const U& dst, const S& src0, const V& src1, const int32_t& count) {                                     \
        static_assert(::aicore::ascendc::has_flexible_scalars<U>,                                                     \
                      "this form of " #NAME " exists on the Ascend 950 only");                                        \
        using Element = typename U::PrimType;                                                                         \
        AICORE_TAKES(Element, #NAME, ::aicore::ascendc::TYPES, ::aicore::ascendc::TYPES);                             \
        ::aicore::ascendc::run_flexible<Element>(#NAME, ::aicore::ops::VecOp::OP, dst, {src0, src1, config}, count);  \
    }                                                                                                                 \
    template <class T = BinaryDefaultType, bool isSetMask = true, const BinaryConfig& config = DEFAULT_BINARY_CONFIG, \
              class U, class S, class V, class Mask, class = std::enable_if_t<ONLY>>                                  \
    void NAME(const U& dst, const S& src0, const V& src1, Mask mask, ::aicore::ascendc::Repeat repeat,                \
              const UnaryRepeatParams& params) {                                                                      \
        static_assert(::aicore::ascendc::has_flexible_scalars<U>,                                                     \
                      "this form of " #NAME " exists on the Ascend 950 only");                                        \
        using Element = typename U::PrimType;                                                                         \
        AICORE_TAKES(Element, #NAME, ::aicore::ascendc::TYPES, ::aicore::ascendc::TYPES);                             \
        ::aicore::ascendc::run_flexible<isSetMask, Element>(#NAME, ::aicore::ops::VecOp::OP, dst,                     \
                                                            {src0, src1, config}, mask, repeat, params);              \
    }

#define AICORE_NEW_FORM (::aicore::ascendc::is_flexible<S, V>)
AICORE_FLEXIBLE(Adds, add, FlexibleSum, AICORE_NEW_FORM)
AICORE_FLEXIBLE(Muls, mul, FlexibleDifference, AICORE_NEW_FORM)
AICORE_FLEXIBLE(Maxs, max, FlexibleSum, AICORE_NEW_FORM)
AICORE_FLEXIBLE(Mins, min, FlexibleSum, AICORE_NEW_FORM)
AICORE_FLEXIBLE(Subs, sub, FlexibleDifference, true)
AICORE_FLEXIBLE(Divs, div, FlexibleQuotient, true)
AICORE_FLEXIBLE(Ands, and_, FlexibleBits, true)
AICORE_FLEXIBLE(Ors, or_, FlexibleBits, true)
#undef AICORE_NEW_FORM
#undef AICORE_FLEXIBLE

#if __NPU_ARCH__ == 3510
#define AICORE_SHIFT(NAME, OP)                                                                                      \
    template <class T, class U>                                                                                     \
    void NAME(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<U>& src1, int32_t count) {   \
        AICORE_TAKES(T, #NAME, ::aicore::ascendc::Integers3510, ::aicore::ascendc::Integers3510);                   \
        static_assert(std::is_signed_v<U> && std::is_integral_v<U> && sizeof(U) == sizeof(T),                       \
                      "the numbers of bits are signed integers of the size of the elements");                       \
        ::aicore::ascendc::run_count(                                                                               \
            {#NAME, ::aicore::ops::VecOp::OP, ::aicore::ascendc::dtype_of<T>(), dst.mem(), src0.mem(), src1.mem()}, \
            count);                                                                                                 \
    }
AICORE_SHIFT(ShiftLeft, shift_left_by)
AICORE_SHIFT(ShiftRight, shift_right_by)
#undef AICORE_SHIFT

// The product in two parts, low and high.
template <class T>
void Mull(const LocalTensor<T>& dst0, const LocalTensor<T>& dst1, const LocalTensor<T>& src0,
          const LocalTensor<T>& src1, const uint32_t count) {
    using Ints = aicore::ascendc::Types<int32_t, uint32_t>;
    AICORE_TAKES(T, "Mull", Ints, Ints);
    if (!aicore::ascendc::on_aiv()) return;
    aicore::ops::multiply_long("Mull", aicore::ascendc::dtype_of<T>(), dst0.mem(), dst1.mem(), src0.mem(), src1.mem(),
                               count);
}
#endif

}  // namespace AscendC
