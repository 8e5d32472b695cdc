// Elementwise vector instructions (pipe V, UB).
// Types per chip: asc-devkit, docs SIMD-API / Memory vector compute, the table of types on each page.
#pragma once

#include "ascendc/tensor_api/vector_call.h"

namespace aicore::ascendc {

using Arithmetic2201 = Types<half, float, int16_t, int32_t>;
using Bits2201 = Types<int16_t, uint16_t>;
using Integers2201 = Types<int16_t, uint16_t, int32_t, uint32_t>;
using Integers3510 = Types<int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t, int64_t, uint64_t>;
using Ordered3510 =
    Types<half, bfloat16_t, float, int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t, int64_t, uint64_t>;
using Product3510 = Types<half, bfloat16_t, float, int16_t, uint16_t, int32_t, uint32_t, int64_t, uint64_t>;
using Quotient3510 = Types<half, float, int16_t, uint16_t, int32_t, uint32_t, int64_t, uint64_t>;
using Fused3510 = Types<half, bfloat16_t, float, int64_t, uint64_t>;
using OrderedScalar3510 = Types<half, bfloat16_t, float, int8_t, uint8_t, int16_t, int32_t, int64_t, uint64_t>;
using ProductScalar3510 = Types<half, bfloat16_t, float, int16_t, int32_t, int64_t, uint64_t>;
using Signed3510 = Types<half, float, int8_t, int16_t, int32_t, int64_t>;
using Relu2201 = Types<half, float, int32_t>;
using Relu3510 = Types<half, float, int32_t, int64_t>;
using Reciprocal3510 = Types<half, float, int64_t, uint64_t>;
using ReluSum = Types<half, float, int16_t>;
using MulAddDst3510 = Types<half, float, int64_t, uint64_t>;

template <class T>
using Tensor = const AscendC::LocalTensor<T>&;

template <class T>
VectorCall binary_call(const char* name, ops::VecOp op, Tensor<T> dst, Tensor<T> src0, Tensor<T> src1) {
    return {name, op, dtype_of<T>(), dst.mem(), src0.mem(), src1.mem()};
}
template <class T>
VectorCall unary_call(const char* name, ops::VecOp op, Tensor<T> dst, Tensor<T> src, double scalar = 0) {
    return {name, op, dtype_of<T>(), dst.mem(), src.mem(), {}, scalar};
}
template <class T>
VectorCall nullary_call(const char* name, ops::VecOp op, Tensor<T> dst, double scalar) {
    static_assert(sizeof(T) <= 4 || std::is_floating_point_v<T>, "elements of 8 bytes are not modelled here");
    return {name, op, dtype_of<T>(), dst.mem(), {}, {}, scalar};
}

template <class T, class U>
inline constexpr bool always_false = false;

}  // namespace aicore::ascendc

namespace AscendC {

// ---- dst = op(src0, src1)
// ---------------------------------------------------------------------------------------------

#define AICORE_BINARY(NAME, OP, ON_2201, ON_3510)                                                                 \
    template <class T>                                                                                            \
    void NAME(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, int32_t count) { \
        AICORE_TAKES(T, #NAME, ::aicore::ascendc::ON_2201, ::aicore::ascendc::ON_3510);                           \
        ::aicore::ascendc::run_count(                                                                             \
            ::aicore::ascendc::binary_call<T>(#NAME, ::aicore::ops::VecOp::OP, dst, src0, src1), count);          \
    }                                                                                                             \
    template <class T, bool isSetMask = true, class Mask>                                                         \
    void NAME(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, Mask mask,       \
              ::aicore::ascendc::Repeat repeat, const BinaryRepeatParams& params) {                               \
        AICORE_TAKES(T, #NAME, ::aicore::ascendc::ON_2201, ::aicore::ascendc::ON_3510);                           \
        ::aicore::ascendc::run_masked<isSetMask>(                                                                 \
            ::aicore::ascendc::binary_call<T>(#NAME, ::aicore::ops::VecOp::OP, dst, src0, src1), mask,            \
            ::aicore::ascendc::strides_of(params), repeat, sizeof(T));                                            \
    }

AICORE_BINARY(Add, add, Arithmetic2201, Ordered3510)
AICORE_BINARY(Sub, sub, Arithmetic2201, Ordered3510)
AICORE_BINARY(Mul, mul, Arithmetic2201, Product3510)
AICORE_BINARY(Div, div, Floats, Quotient3510)
AICORE_BINARY(Max, max, Arithmetic2201, Ordered3510)
AICORE_BINARY(Min, min, Arithmetic2201, Ordered3510)
AICORE_BINARY(And, and_, Bits2201, Integers3510)
AICORE_BINARY(Or, or_, Bits2201, Integers3510)
AICORE_BINARY(MulAddDst, mul_add_dst, Floats, MulAddDst3510)
AICORE_BINARY(FusedMulAdd, fused_mul_add, Floats, Fused3510)
AICORE_BINARY(AddRelu, add_relu, ReluSum, ReluSum)
AICORE_BINARY(SubRelu, sub_relu, ReluSum, ReluSum)
AICORE_BINARY(MulAddRelu, mul_add_relu, Floats, Floats)
#undef AICORE_BINARY

// ---- dst = op(src)
// ----------------------------------------------------------------------------------------------------

#define AICORE_UNARY(NAME, OP, ON_2201, ON_3510)                                                                  \
    template <class T>                                                                                            \
    void NAME(const LocalTensor<T>& dst, const LocalTensor<T>& src, int32_t count) {                              \
        AICORE_TAKES(T, #NAME, ::aicore::ascendc::ON_2201, ::aicore::ascendc::ON_3510);                           \
        ::aicore::ascendc::run_count(::aicore::ascendc::unary_call<T>(#NAME, ::aicore::ops::VecOp::OP, dst, src), \
                                     count);                                                                      \
    }                                                                                                             \
    template <class T, bool isSetMask = true, class Mask>                                                         \
    void NAME(const LocalTensor<T>& dst, const LocalTensor<T>& src, Mask mask, ::aicore::ascendc::Repeat repeat,  \
              const UnaryRepeatParams& params) {                                                                  \
        AICORE_TAKES(T, #NAME, ::aicore::ascendc::ON_2201, ::aicore::ascendc::ON_3510);                           \
        ::aicore::ascendc::run_masked<isSetMask>(                                                                 \
            ::aicore::ascendc::unary_call<T>(#NAME, ::aicore::ops::VecOp::OP, dst, src), mask,                    \
            ::aicore::ascendc::strides_of(params), repeat, sizeof(T));                                            \
    }

AICORE_UNARY(Exp, exp, Floats, Floats)
AICORE_UNARY(Ln, ln, Floats, Floats)
AICORE_UNARY(Abs, abs, Floats, Signed3510)
AICORE_UNARY(Reciprocal, reciprocal, Floats, Reciprocal3510)
AICORE_UNARY(Sqrt, sqrt, Floats, Floats)
AICORE_UNARY(Rsqrt, rsqrt, Floats, Floats)
AICORE_UNARY(Relu, relu, Relu2201, Relu3510)
AICORE_UNARY(Not, not_, Bits2201, Integers3510)
#undef AICORE_UNARY

// ---- dst = op(src, scalar)
// --------------------------------------------------------------------------------------------

#define AICORE_SCALAR(NAME, OP, ON_2201, ON_3510)                                                                     \
    template <class T, bool isSetMask = true>                                                                         \
    void NAME(const LocalTensor<T>& dst, const LocalTensor<T>& src, const T& scalar, int32_t count) {                 \
        AICORE_TAKES(T, #NAME, ::aicore::ascendc::ON_2201, ::aicore::ascendc::ON_3510);                               \
        ::aicore::ascendc::run_count(                                                                                 \
            ::aicore::ascendc::unary_call<T>(#NAME, ::aicore::ops::VecOp::OP, dst, src, static_cast<double>(scalar)), \
            count);                                                                                                   \
    }                                                                                                                 \
    template <class T, bool isSetMask = true, class Mask>                                                             \
    void NAME(const LocalTensor<T>& dst, const LocalTensor<T>& src, const T& scalar, Mask mask,                       \
              ::aicore::ascendc::Repeat repeat, const UnaryRepeatParams& params) {                                    \
        AICORE_TAKES(T, #NAME, ::aicore::ascendc::ON_2201, ::aicore::ascendc::ON_3510);                               \
        ::aicore::ascendc::run_masked<isSetMask>(                                                                     \
            ::aicore::ascendc::unary_call<T>(#NAME, ::aicore::ops::VecOp::OP, dst, src, static_cast<double>(scalar)), \
            mask, ::aicore::ascendc::strides_of(params), repeat, sizeof(T));                                          \
    }                                                                                                                 \
    template <class T, class U, class = std::enable_if_t<!std::is_same_v<T, U> && std::is_convertible_v<U, T>>>       \
    void NAME(const LocalTensor<T>&, const LocalTensor<T>&, const U&, int32_t) {                                      \
        static_assert(::aicore::ascendc::always_false<T, U>,                                                          \
                      "the scalar of " #NAME " must have the element type of the tensors; write T(scalar)");          \
    }

AICORE_SCALAR(Adds, adds, Arithmetic2201, OrderedScalar3510)
AICORE_SCALAR(Muls, muls, Arithmetic2201, ProductScalar3510)
AICORE_SCALAR(Maxs, maxs, Arithmetic2201, OrderedScalar3510)
AICORE_SCALAR(Mins, mins, Arithmetic2201, OrderedScalar3510)
AICORE_SCALAR(LeakyRelu, leaky_relu, Floats, Floats)
AICORE_SCALAR(ShiftLeft, shift_left, Integers2201, Integers3510)
AICORE_SCALAR(ShiftRight, shift_right, Integers2201, Integers3510)
#undef AICORE_SCALAR

// dst += src * scalar; half may be added into float.
template <class T, class U>
void Axpy(const LocalTensor<T>& dst, const LocalTensor<U>& src, const U& scalar, int32_t count) {
    if constexpr (std::is_same_v<T, float> && std::is_same_v<U, half>) {
        if (!aicore::ascendc::on_aiv() || count <= 0) return;
        aicore::ops::VecShape shape;
        shape.count = static_cast<uint64_t>(count);
        aicore::ops::axpy_widening("Axpy", dst.mem(), src.mem(), static_cast<double>(scalar), shape);
        aicore::ascendc::mask_after_count();
    } else {
        static_assert(std::is_same_v<T, U>, "Axpy takes equal types, or a half source into a float destination");
        AICORE_TAKES(T, "Axpy", aicore::ascendc::Floats, aicore::ascendc::FloatsAndBf16);
        aicore::ascendc::run_count(
            aicore::ascendc::unary_call<T>("Axpy", aicore::ops::VecOp::axpy, dst, src, static_cast<double>(scalar)),
            count);
    }
}
template <class T, bool isSetMask = true, class Mask>
void Axpy(const LocalTensor<T>& dst, const LocalTensor<T>& src, const T& scalar, Mask mask,
          ::aicore::ascendc::Repeat repeat, const UnaryRepeatParams& params) {
    AICORE_TAKES(T, "Axpy", aicore::ascendc::Floats, aicore::ascendc::FloatsAndBf16);
    aicore::ascendc::run_masked<isSetMask>(
        aicore::ascendc::unary_call<T>("Axpy", aicore::ops::VecOp::axpy, dst, src, static_cast<double>(scalar)), mask,
        aicore::ascendc::strides_of(params), repeat, sizeof(T));
}

#if __NPU_ARCH__ == 3510
#define AICORE_ON_950(NAME, OP)                                                                                    \
    template <class T>                                                                                             \
    void NAME(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, uint32_t count) { \
        AICORE_TAKES(T, #NAME, ::aicore::ascendc::Floats, ::aicore::ascendc::Floats);                              \
        ::aicore::ascendc::run_count(                                                                              \
            ::aicore::ascendc::binary_call<T>(#NAME, ::aicore::ops::VecOp::OP, dst, src0, src1), count);           \
    }
AICORE_ON_950(AbsSub, abs_sub)
AICORE_ON_950(Prelu, prelu)
AICORE_ON_950(ExpSub, exp_sub)
#undef AICORE_ON_950
template <class T>
void Neg(const LocalTensor<T>& dst, const LocalTensor<T>& src, uint32_t count) {
    AICORE_TAKES(T, "Neg", aicore::ascendc::Signed3510, aicore::ascendc::Signed3510);
    aicore::ascendc::run_count(aicore::ascendc::unary_call<T>("Neg", aicore::ops::VecOp::neg, dst, src), count);
}
// Towards zero, in the type of the source.
template <class T>
void Truncate(const LocalTensor<T>& dst, const LocalTensor<T>& src, uint32_t count) {
    AICORE_TAKES(T, "Truncate", aicore::ascendc::FloatsAndBf16, aicore::ascendc::FloatsAndBf16);
    aicore::ascendc::run_count(aicore::ascendc::unary_call<T>("Truncate", aicore::ops::VecOp::truncate, dst, src),
                               count);
}
#endif

// ---- moves
// ------------------------------------------------------------------------------------------------------------

template <class T>
void Duplicate(const LocalTensor<T>& dst, const T& scalar, int32_t count) {
    AICORE_TAKES(T, "Duplicate", aicore::ascendc::Moved, aicore::ascendc::MovedOrByte);
    aicore::ascendc::run_count(
        aicore::ascendc::nullary_call<T>("Duplicate", aicore::ops::VecOp::duplicate, dst, static_cast<double>(scalar)),
        count);
}
template <class T, bool isSetMask = true, class Mask>
void Duplicate(const LocalTensor<T>& dst, const T& scalar, Mask mask, aicore::ascendc::Repeat repeat,
               uint16_t block_stride, uint8_t repeat_stride) {
    AICORE_TAKES(T, "Duplicate", aicore::ascendc::Moved, aicore::ascendc::MovedOrByte);
    aicore::ops::VecShape strides;
    strides.dst_blk = block_stride, strides.dst_rep = repeat_stride;
    aicore::ascendc::run_masked<isSetMask>(
        aicore::ascendc::nullary_call<T>("Duplicate", aicore::ops::VecOp::duplicate, dst, static_cast<double>(scalar)),
        mask, strides, repeat, sizeof(T));
}

// UB to UB under a mask.
template <class T, bool isSetMask = true, class Mask>
void Copy(const LocalTensor<T>& dst, const LocalTensor<T>& src, Mask mask, ::aicore::ascendc::Repeat repeat,
          const CopyRepeatParams& params) {
    AICORE_TAKES(T, "Copy", aicore::ascendc::Moved, aicore::ascendc::MovedOrByte);
    aicore::ops::VecShape strides;
    strides.dst_blk = params.dstStride, strides.src0_blk = params.srcStride;
    strides.dst_rep = params.dstRepeatSize, strides.src0_rep = params.srcRepeatSize;
    const auto call = aicore::ascendc::unary_call<T>("Copy", aicore::ops::VecOp::copy, dst, src);
    if (!aicore::ascendc::state().counter_mode) {
        aicore::ascendc::run_masked<isSetMask>(call, mask, strides, repeat, sizeof(T));
        return;
    }
    // Unlike other calls, in counter mode every repeat copies as many elements as the mask says (docs, Copy).
    aicore::ops::VecShape row = strides;
    row.dst_rep = 8 * strides.dst_blk, row.src0_rep = 8 * strides.src0_blk;
    for (uint32_t r = 0; r < repeat; ++r) {
        auto part = call;
        part.dst = aicore::ascendc::skip(call.dst, r * uint64_t{strides.dst_rep});
        part.src0 = aicore::ascendc::skip(call.src0, r * uint64_t{strides.src0_rep});
        aicore::ascendc::run_masked<isSetMask>(part, mask, row, 1, sizeof(T));
    }
}
#if __NPU_ARCH__ == 3510
template <class T>
void Copy(const LocalTensor<T>& dst, const LocalTensor<T>& src, uint32_t count) {
    aicore::ascendc::run_count(aicore::ascendc::unary_call<T>("Copy", aicore::ops::VecOp::copy, dst, src), count);
}
#endif

// `repeat` times 8 elements of src, each spread over a block of 32 bytes.
template <class T>
void Brcb(const LocalTensor<T>& dst, const LocalTensor<T>& src, ::aicore::ascendc::Repeat repeat,
          const BrcbRepeatParams& params) {
    AICORE_TAKES(T, "Brcb", aicore::ascendc::Moved, aicore::ascendc::MovedOrByte);
    if (!aicore::ascendc::on_aiv() || repeat == 0) return;
    aicore::ops::brcb("Brcb", aicore::ascendc::dtype_of<T>(), dst.mem(), src.mem(), repeat, params.dstBlkStride,
                      params.dstRepStride);
}

// dst[i] = first + i
template <class T>
void CreateVecIndex(LocalTensor<T> dst, const T& first, uint32_t count) {
    if (!aicore::ascendc::on_aiv() || count == 0) return;
    aicore::ops::arange("CreateVecIndex", aicore::ascendc::dtype_of<T>(), dst.mem(), static_cast<double>(first), 1,
                        count);
}
// The lanes of a mask; a repeat goes on where the one before ended.
template <class T, class Mask>
void CreateVecIndex(const LocalTensor<T>& dst, const T& first, Mask mask, aicore::ascendc::Repeat repeat,
                    uint16_t block_stride, uint8_t repeat_stride) {
    using Kinds = aicore::ascendc::Types<int16_t, half, int32_t, float>;
    AICORE_TAKES(T, "CreateVecIndex", Kinds, Kinds);
    if (!aicore::ascendc::on_aiv()) return;
    aicore::ascendc::take_mask(mask, sizeof(T));
    aicore::ops::VecShape strides;
    strides.dst_blk = block_stride, strides.dst_rep = repeat_stride;
    aicore::ascendc::for_repeats(strides, repeat, sizeof(T), [&](const aicore::ops::VecShape& shape, uint64_t skipped) {
        const auto lanes = static_cast<double>(skipped * (256 / sizeof(T)));
        aicore::ops::arange_masked("CreateVecIndex", aicore::ascendc::dtype_of<T>(),
                                   aicore::ascendc::skip(dst.mem(), skipped * repeat_stride),
                                   static_cast<double>(first) + lanes, shape);
    });
}

}  // namespace AscendC
