// The advanced API as far as it is modelled: mathematical functions, pattern reductions, broadcasts. One call stands
// for several instructions of the machine; here it is one instruction that also writes its temporary buffer. Source:
// asc-devkit, docs SIMD-API / advanced API, include/adv_api.
#pragma once

#include "ascendc/tensor_api/reduce.h"
#include "ascendc/tensor_api/vector.h"

namespace aicore::ascendc {

using Float32 = Types<float>;

template <class T>
void run_math(const char* name, ops::VecOp op, Tensor<T> dst, Tensor<T> src, ops::Mem tmp, uint32_t count) {
    run_count({name, op, dtype_of<T>(), dst.mem(), src.mem(), tmp}, count);
}

// `shape` = {rows, columns}; padded: every row starts at a 32-byte boundary.
template <class T, class Pattern>
void reduce_pattern(const char* name, ops::Red op, Tensor<T> dst, Tensor<T> src, ops::Mem tmp, const uint32_t shape[],
                    bool padded) {
    constexpr bool by_row = std::is_same_v<Pattern, AscendC::Pattern::Reduce::AR>;
    static_assert(by_row || std::is_same_v<Pattern, AscendC::Pattern::Reduce::RA>,
                  "reductions are modelled for the patterns AR and RA");
    if (!on_aiv() || shape[0] == 0 || shape[1] == 0) return;
    const uint64_t bytes = uint64_t{shape[1]} * sizeof(T);
    ops::reduce_tile(name, op, dtype_of<T>(), dst.mem(), src.mem(), tmp, shape[0], shape[1],
                     padded ? (bytes + 31) / 32 * 32 : bytes, by_row);
    mask_after_count();
}

}  // namespace aicore::ascendc

namespace AscendC {

// ---- dst[i] = f(src[i]), with and without a temporary buffer, with and without a count
// --------------------------------

#define AICORE_MATH(NAME, OP)                                                                                          \
    template <class T, bool isReuseSource = false>                                                                     \
    void NAME(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<uint8_t>& tmp, uint32_t count) { \
        AICORE_TAKES(T, #NAME, ::aicore::ascendc::Floats, ::aicore::ascendc::Floats);                                  \
        ::aicore::ascendc::run_math<T>(#NAME, ::aicore::ops::VecOp::OP, dst, src, tmp.mem(), count);                   \
    }                                                                                                                  \
    template <class T, bool isReuseSource = false>                                                                     \
    void NAME(const LocalTensor<T>& dst, const LocalTensor<T>& src, uint32_t count) {                                  \
        AICORE_TAKES(T, #NAME, ::aicore::ascendc::Floats, ::aicore::ascendc::Floats);                                  \
        ::aicore::ascendc::run_math<T>(#NAME, ::aicore::ops::VecOp::OP, dst, src, {}, count);                          \
    }                                                                                                                  \
    template <class T, bool isReuseSource = false>                                                                     \
    void NAME(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<uint8_t>& tmp) {                 \
        NAME<T, isReuseSource>(dst, src, tmp, src.GetSize());                                                          \
    }                                                                                                                  \
    template <class T, bool isReuseSource = false>                                                                     \
    void NAME(const LocalTensor<T>& dst, const LocalTensor<T>& src) {                                                  \
        NAME<T, isReuseSource>(dst, src, src.GetSize());                                                               \
    }

AICORE_MATH(Sigmoid, sigmoid)
AICORE_MATH(Silu, silu)
AICORE_MATH(Tanh, tanh)
AICORE_MATH(Sin, sin)
AICORE_MATH(Cos, cos)
AICORE_MATH(Erf, erf)
AICORE_MATH(Gelu, gelu)
AICORE_MATH(Round, round)
#undef AICORE_MATH

template <class T, bool isReuseSource = false>
void Power(const LocalTensor<T>& dst, const LocalTensor<T>& base, const LocalTensor<T>& exponent,
           const LocalTensor<uint8_t>& tmp, uint32_t count) {
    AICORE_TAKES(T, "Power", aicore::ascendc::Relu2201, aicore::ascendc::Relu2201);
    if (!aicore::ascendc::on_aiv() || count == 0) return;
    aicore::ops::power("Power", aicore::ascendc::dtype_of<T>(), dst.mem(), base.mem(), exponent.mem(), tmp.mem(),
                       count);
    aicore::ascendc::mask_after_count();
}
template <class T, bool isReuseSource = false>
void Power(const LocalTensor<T>& dst, const LocalTensor<T>& base, const LocalTensor<T>& exponent,
           const LocalTensor<uint8_t>& tmp) {
    Power<T, isReuseSource>(dst, base, exponent, tmp, base.GetSize());
}

template <class T, bool isReuseSource = false>
void Xor(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1,
         const LocalTensor<uint8_t>& tmp, uint32_t count) {
    AICORE_TAKES(T, "Xor", aicore::ascendc::Bits2201, aicore::ascendc::Bits2201);
    if (!aicore::ascendc::on_aiv() || count == 0) return;
    aicore::ascendc::run_count(aicore::ascendc::binary_call<T>("Xor", aicore::ops::VecOp::xor_, dst, src0, src1),
                               count);
    aicore::ascendc::clobber("Xor", tmp.mem(), uint64_t{count} * sizeof(T));
}
template <class T, bool isReuseSource = false>
void Xor(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1) {
    AICORE_TAKES(T, "Xor", aicore::ascendc::Bits2201, aicore::ascendc::Bits2201);
    aicore::ascendc::run_count(aicore::ascendc::binary_call<T>("Xor", aicore::ops::VecOp::xor_, dst, src0, src1),
                               src0.GetSize());
}

// min(src, scalar) and max(src, scalar).
#define AICORE_CLAMP(NAME)                                                                                           \
    template <class T, bool isReuseSource = false>                                                                   \
    void NAME(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<uint8_t>& tmp, const T scalar, \
              uint32_t count) {                                                                                      \
        NAME<T, isReuseSource>(dst, src, scalar, count);                                                             \
        if (!::aicore::ascendc::on_aiv() || count == 0) return;                                                      \
        ::aicore::ascendc::clobber(#NAME, tmp.mem(), uint64_t{count} * sizeof(T));                                   \
    }
template <class T, bool isReuseSource = false>
void ClampMax(const LocalTensor<T>& dst, const LocalTensor<T>& src, const T scalar, uint32_t count) {
    AICORE_TAKES(T, "ClampMax", aicore::ascendc::Floats, aicore::ascendc::Floats);
    aicore::ascendc::run_count(
        aicore::ascendc::unary_call<T>("ClampMax", aicore::ops::VecOp::mins, dst, src, static_cast<double>(scalar)),
        count);
}
template <class T, bool isReuseSource = false>
void ClampMin(const LocalTensor<T>& dst, const LocalTensor<T>& src, const T scalar, uint32_t count) {
    AICORE_TAKES(T, "ClampMin", aicore::ascendc::Floats, aicore::ascendc::Floats);
    aicore::ascendc::run_count(
        aicore::ascendc::unary_call<T>("ClampMin", aicore::ops::VecOp::maxs, dst, src, static_cast<double>(scalar)),
        count);
}
AICORE_CLAMP(ClampMax)
AICORE_CLAMP(ClampMin)
#undef AICORE_CLAMP

// dst[i] = first + i * step
template <class T>
void Arange(const LocalTensor<T>& dst, const T first, const T step, int32_t count) {
    if (!aicore::ascendc::on_aiv() || count <= 0) return;
    aicore::ops::arange("Arange", aicore::ascendc::dtype_of<T>(), dst.mem(), static_cast<double>(first),
                        static_cast<double>(step), static_cast<uint64_t>(count));
}
template <class T>
void ArithProgression(const LocalTensor<T>& dst, const T first, const T step, int32_t count) {
    Arange(dst, first, step, count);
}

// ---- reductions and broadcasts of [rows, columns] tiles
// ----------------------------------------------------------------

#define AICORE_PATTERN_REDUCTION(NAME, OP, ON_2201)                                                                  \
    template <class T, class Pattern, bool isReuseSource = false>                                                    \
    void NAME(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<uint8_t>& tmp,                 \
              const uint32_t shape[], bool innerPad) {                                                               \
        AICORE_TAKES(T, #NAME, ::aicore::ascendc::ON_2201, ::aicore::ascendc::Extreme3510);                          \
        ::aicore::ascendc::reduce_pattern<T, Pattern>(#NAME, ::aicore::ops::Red::OP, dst, src, tmp.mem(), shape,     \
                                                      innerPad);                                                     \
    }                                                                                                                \
    template <class T, class Pattern, bool isReuseSource = false>                                                    \
    void NAME(const LocalTensor<T>& dst, const LocalTensor<T>& src, const uint32_t shape[], bool innerPad) {         \
        AICORE_TAKES(T, #NAME, ::aicore::ascendc::ON_2201, ::aicore::ascendc::Extreme3510);                          \
        ::aicore::ascendc::reduce_pattern<T, Pattern>(#NAME, ::aicore::ops::Red::OP, dst, src, {}, shape, innerPad); \
    }
AICORE_PATTERN_REDUCTION(ReduceSum, sum, Float32)
AICORE_PATTERN_REDUCTION(ReduceMax, max, Floats)
AICORE_PATTERN_REDUCTION(ReduceMin, min, Floats)
#undef AICORE_PATTERN_REDUCTION

// Row sums: `outter` rows, `inner` elements apart, of `n` elements each.
template <class T, int32_t reduceDim = -1, bool isReuseSource = false, bool isBasicBlock = false>
void Sum(const LocalTensor<T>& dst, const LocalTensor<T>& src, const SumParams& params) {
    static_assert(reduceDim == -1, "Sum is modelled along the last dimension");
    AICORE_TAKES(T, "Sum", aicore::ascendc::Floats, aicore::ascendc::Floats);
    if (!aicore::ascendc::on_aiv() || params.outter == 0 || params.n == 0) return;
    aicore::ops::reduce_tile("Sum", aicore::ops::Red::sum, aicore::ascendc::dtype_of<T>(), dst.mem(), src.mem(), {},
                             params.outter, params.n, uint64_t{params.inner} * sizeof(T), true);
    aicore::ascendc::mask_after_count();
}
template <class T, int32_t reduceDim = -1, bool isReuseSource = false, bool isBasicBlock = false>
void Sum(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<uint8_t>& tmp,
         const SumParams& params) {
    static_cast<void>(tmp);
    Sum<T, reduceDim, isReuseSource, isBasicBlock>(dst, src, params);
}

// src [rows, 1] (axis 1) or [1, columns] (axis 0) to dst [rows, columns].
template <class T, int32_t dim, int32_t axis, bool isReuseSource = false>
void Broadcast(const LocalTensor<T>& dst, const LocalTensor<T>& src, const uint32_t dstShape[],
               const uint32_t srcShape[], const LocalTensor<uint8_t>& tmp) {
    using Old = aicore::ascendc::Types<half, float, int8_t, uint8_t>;
    AICORE_TAKES(T, "Broadcast", Old, aicore::ascendc::MovedOrByte);
    static_assert(dim == 1 || (dim == 2 && (axis == 0 || axis == 1)),
                  "Broadcast is modelled for one or two dimensions");
    const uint32_t rows = dim == 1 ? 1 : dstShape[0], columns = dstShape[dim - 1];
    if (srcShape[dim == 1 ? 0 : axis] != 1) {
        aicore::unsupported("AscendC::Broadcast(a source that is not 1 along the axis)");
    }
    if (!aicore::ascendc::on_aiv() || rows == 0 || columns == 0) return;
    aicore::ops::broadcast("Broadcast", aicore::ascendc::dtype_of<T>(), dst.mem(), src.mem(), tmp.mem(), rows, columns,
                           dim == 1 ? 1 : axis);
    aicore::ascendc::mask_after_count();
}

}  // namespace AscendC
