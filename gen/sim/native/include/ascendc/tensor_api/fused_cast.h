// Vector instructions that compute and convert: AddReluCast, SubReluCast, MulCast, MulsCast, AddDeqRelu, CastDequant.
// Source: asc-devkit, docs SIMD-API / Memory vector compute, the pages of these names, with their tables of types.
#pragma once

#include "ascendc/tensor_api/cast.h"
#include "ascendc/tensor_api/flexible_scalar.h"

namespace aicore::ascendc {

template <class To, class From>
struct TypePair {};

using ReluCast2201 = Types<TypePair<int8_t, half>, TypePair<int8_t, int16_t>, TypePair<half, float>>;
using ReluCast3510 = Types<TypePair<int8_t, half>, TypePair<int8_t, int16_t>, TypePair<half, float>,
                           TypePair<float, int64_t>, TypePair<int32_t, int64_t>>;
using MulCast2201 = Types<TypePair<int8_t, half>, TypePair<uint8_t, half>>;
using MulCast3510 =
    Types<TypePair<int8_t, half>, TypePair<uint8_t, half>, TypePair<float, int64_t>, TypePair<int32_t, int64_t>>;

template <class T, class U>
ops::FusedCast fused(ops::Fused op) {
    constexpr bool narrows = std::is_same_v<T, int32_t>;  // from int64, which has one mode
    return {op, dtype_of<T>(), dtype_of<U>(), narrows ? Round::none : Round::rint, saturates<T>, 1.0};
}

inline void run_fused(const char* name, const ops::FusedCast& f, ops::Mem dst, ops::Mem src0, ops::Mem src1,
                      int64_t count) {
    if (!on_aiv() || count <= 0) return;
    ops::VecShape shape;
    shape.count = static_cast<uint64_t>(count);
    ops::fused_cast(name, f, dst, src0, src1, shape);
    mask_after_count();
}

template <bool isSetMask, class Mask>
void run_fused(const char* name, const ops::FusedCast& f, ops::Mem dst, ops::Mem src0, ops::Mem src1, Mask mask,
               uint32_t repeat, const AscendC::BinaryRepeatParams& params) {
    const size_t to = ops::size_of(f.dst), from = ops::size_of(f.src), widest = to > from ? to : from;
    if (!on_aiv()) return;
    if constexpr (isSetMask) take_mask(mask, widest);
    const ops::VecShape strides = strides_of(params);
    for_repeats(strides, repeat, widest, [&](const ops::VecShape& shape, uint64_t skipped) {
        ops::fused_cast(name, f, skip(dst, skipped * strides.dst_rep), skip(src0, skipped * strides.src0_rep),
                        skip(src1, skipped * strides.src1_rep), shape);
    });
}

}  // namespace aicore::ascendc

namespace AscendC {

#define AICORE_FUSED(NAME, OP, ON_2201, ON_3510)                                                                   \
    template <class T, class U>                                                                                    \
    void NAME(const LocalTensor<T>& dst, const LocalTensor<U>& src0, const LocalTensor<U>& src1, uint32_t count) { \
        using Pair = ::aicore::ascendc::TypePair<T, U>;                                                            \
        AICORE_TAKES(Pair, #NAME, ::aicore::ascendc::ON_2201, ::aicore::ascendc::ON_3510);                         \
        ::aicore::ascendc::run_fused(#NAME, ::aicore::ascendc::fused<T, U>(::aicore::ops::Fused::OP), dst.mem(),   \
                                     src0.mem(), src1.mem(), count);                                               \
    }                                                                                                              \
    template <class T, class U, bool isSetMask = true, class Mask>                                                 \
    void NAME(const LocalTensor<T>& dst, const LocalTensor<U>& src0, const LocalTensor<U>& src1, Mask mask,        \
              ::aicore::ascendc::Repeat repeat, const BinaryRepeatParams& params) {                                \
        using Pair = ::aicore::ascendc::TypePair<T, U>;                                                            \
        AICORE_TAKES(Pair, #NAME, ::aicore::ascendc::ON_2201, ::aicore::ascendc::ON_3510);                         \
        static_assert(sizeof(U) < 8, #NAME " of elements of 8 bytes has the form with a count only");              \
        ::aicore::ascendc::run_fused<isSetMask>(#NAME, ::aicore::ascendc::fused<T, U>(::aicore::ops::Fused::OP),   \
                                                dst.mem(), src0.mem(), src1.mem(), mask, repeat, params);          \
    }
AICORE_FUSED(AddReluCast, add_relu, ReluCast2201, ReluCast3510)
AICORE_FUSED(SubReluCast, sub_relu, ReluCast2201, ReluCast3510)
AICORE_FUSED(MulCast, mul, MulCast2201, MulCast3510)
#undef AICORE_FUSED

// relu(half((src0 + src1) * scale)), with the scale of SetDeqScale.
inline void AddDeqRelu(const LocalTensor<half>& dst, const LocalTensor<int32_t>& src0, const LocalTensor<int32_t>& src1,
                       const int32_t& count) {
    auto f = aicore::ascendc::fused<half, int32_t>(aicore::ops::Fused::deq_relu);
    f.factor = aicore::ascendc::deq_scale_of<half, int32_t>();
    aicore::ascendc::run_fused("AddDeqRelu", f, dst.mem(), src0.mem(), src1.mem(), count);
}
template <bool isSetMask = true, class Mask>
void AddDeqRelu(const LocalTensor<half>& dst, const LocalTensor<int32_t>& src0, const LocalTensor<int32_t>& src1,
                Mask mask, aicore::ascendc::Repeat repeat, const BinaryRepeatParams& params) {
    auto f = aicore::ascendc::fused<half, int32_t>(aicore::ops::Fused::deq_relu);
    f.factor = aicore::ascendc::deq_scale_of<half, int32_t>();
    aicore::ascendc::run_fused<isSetMask>("AddDeqRelu", f, dst.mem(), src0.mem(), src1.mem(), mask, repeat, params);
}

// int32 to half is Cast with the scale of SetDeqScale.
template <class T, class U, bool isVecDeq = true, bool halfBlock = true>
void CastDequant(const LocalTensor<T>& dst, const LocalTensor<U>& src, const uint32_t count) {
    if constexpr (std::is_same_v<T, half> && std::is_same_v<U, int32_t>) {
        Cast(dst, src, RoundMode::CAST_RINT, count);
    } else {
        aicore::unsupported("AscendC::CastDequant(int16_t to 8 bits)");
    }
}
template <class T, class U, bool isSetMask = true, bool isVecDeq = true, bool halfBlock = true, class Mask>
void CastDequant(const LocalTensor<T>& dst, const LocalTensor<U>& src, Mask mask, aicore::ascendc::Repeat repeat,
                 const UnaryRepeatParams& params) {
    if constexpr (std::is_same_v<T, half> && std::is_same_v<U, int32_t>) {
        Cast<T, U, isSetMask>(dst, src, RoundMode::CAST_RINT, mask, repeat, params);
    } else {
        aicore::unsupported("AscendC::CastDequant(int16_t to 8 bits)");
    }
}

#if __NPU_ARCH__ == 3510
// Float times a scalar on either side, to half by rounding half away from zero.
template <class T0 = BinaryDefaultType, class T1 = BinaryDefaultType,
          const BinaryConfig& config = DEFAULT_BINARY_CONFIG, class T2, class T3, class T4>
void MulsCast(const T2& dst, const T3& src0, const T4& src1, const uint32_t count) {
    static_assert(std::is_same_v<T2, LocalTensor<half>>, "MulsCast writes half");
    const aicore::ascendc::FlexibleCall<float> call(src0, src1, config);
    if (!aicore::ascendc::on_aiv()) return;
    auto f = aicore::ascendc::fused<half, float>(aicore::ops::Fused::mul);
    f.round = aicore::Round::round;
    f.saturate = true;
    aicore::ops::fused_cast_with_scalar("MulsCast", f, dst.mem(), call.src, call.scalar, count);
}
#endif

}  // namespace AscendC
