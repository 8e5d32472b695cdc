// Lane by lane arithmetic. Lanes outside the mask become 0. Float operations round once, to nearest even; exp and ln
// are computed in double. (asc-devkit, docs/zh/api/SIMD-API/C-API/reg, arithmetic_compute and compound_compute.)
#pragma once

#include <cmath>

#include "c_api/reg/vector.h"

namespace aicore::c_api {

template <class T>
constexpr bool kIsFloat16 = std::is_same_v<T, half> || std::is_same_v<T, bfloat16_t>;
template <class T>
constexpr bool kIsFloat = std::is_same_v<T, float> || kIsFloat16<T>;

// Integers wrap around, so they are computed without a sign.
template <class T>
struct WrapOf {
    using type = T;
};
template <class T>
    requires std::is_integral_v<T>
struct WrapOf<T> {
    using type = std::make_unsigned_t<T>;
};
template <class T>
using Wrap = typename WrapOf<T>::type;

template <class T>
AICORE_INLINE T add(T a, T b) {
    return static_cast<T>(static_cast<Wrap<T>>(a) + static_cast<Wrap<T>>(b));
}
template <class T>
AICORE_INLINE T sub(T a, T b) {
    return static_cast<T>(static_cast<Wrap<T>>(a) - static_cast<Wrap<T>>(b));
}
template <class T>
AICORE_INLINE T mul(T a, T b) {
    // 64 bits are enough for the low bits of any product and keep small types out of signed overflow.
    if constexpr (std::is_integral_v<T>) return static_cast<T>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
    return static_cast<T>(a * b);
}
template <class T>
AICORE_INLINE T div(T a, T b) {
    if constexpr (std::is_integral_v<T>) {
        if (b == 0) return static_cast<T>(~Wrap<T>{0});
        if (std::is_signed_v<T> && b == static_cast<T>(-1)) return sub<T>(0, a);
    }
    return static_cast<T>(a / b);
}
// NaN if one is NaN; max(-0, +0) is +0 and min(-0, +0) is -0.
template <class T>
AICORE_INLINE T maximum(T a, T b) {
    if constexpr (kIsFloat<T>) {
        const float x = a, y = b;
        if (x != x || y != y) return static_cast<T>(__builtin_nanf(""));
        if (x == y) return __builtin_signbit(x) ? b : a;
    }
    return a > b ? a : b;
}
template <class T>
AICORE_INLINE T minimum(T a, T b) {
    if constexpr (kIsFloat<T>) {
        const float x = a, y = b;
        if (x != x || y != y) return static_cast<T>(__builtin_nanf(""));
        if (x == y) return __builtin_signbit(x) ? a : b;
    }
    return a < b ? a : b;
}
// a * b + c, rounded once.
template <class T>
AICORE_INLINE T multiply_add(T a, T b, T c) {
    if constexpr (std::is_same_v<T, float>) return __builtin_fmaf(a, b, c);
    // The product of two 16-bit floats is exact in double, and the sum keeps more than twice their precision.
    if constexpr (kIsFloat16<T>) {
        return static_cast<T>(static_cast<double>(static_cast<float>(a)) * static_cast<double>(static_cast<float>(b)) +
                              static_cast<double>(static_cast<float>(c)));
    }
    return add(mul(a, b), c);
}
template <class T>
AICORE_INLINE T negate(T a) {
    if constexpr (std::is_integral_v<T>) return sub<T>(0, a);
    return static_cast<T>(-a);
}
template <class T>
AICORE_INLINE T absolute(T a) {
    if constexpr (std::is_integral_v<T>) return a < 0 ? sub<T>(0, a) : a;
    return static_cast<T>(__builtin_fabsf(a));
}
template <class T>
AICORE_INLINE T distance(T a, T b) {
    return absolute(sub(a, b));
}
template <class T>
AICORE_INLINE T relu(T a) {
    return a >= T(0) ? a : T(0);
}

// a where it is positive, a * slope elsewhere.
template <class T>
AICORE_INLINE T prelu(T a, T slope) {
    return a > T(0) ? a : mul(a, slope);
}

template <class T>
AICORE_INLINE double wide(T a) {
    return static_cast<double>(static_cast<float>(a));
}
template <class T>
AICORE_INLINE T exponential(T a) {
    return static_cast<T>(std::exp(wide(a)));
}
template <class T>
AICORE_INLINE T logarithm(T a) {
    return static_cast<T>(std::log(wide(a)));
}
template <class T>
AICORE_INLINE T exponential_difference(T a, T b) {
    return exponential(sub(a, b));
}
template <class T>
AICORE_INLINE T square_root(T a) {
    return static_cast<T>(__builtin_sqrt(wide(a)));
}

// Left shifts of signed lanes keep the sign bit. A shift of the whole width or more gives 0, or the sign to the right.
template <class T>
AICORE_INLINE T shift_left(T a, int64_t by) {
    constexpr int width = 8 * sizeof(T);
    if (by >= width) return 0;
    const auto moved = static_cast<Wrap<T>>(static_cast<Wrap<T>>(a) << by);
    if constexpr (std::is_signed_v<T>) {
        constexpr auto sign = static_cast<Wrap<T>>(Wrap<T>{1} << (width - 1));
        return static_cast<T>((moved & ~sign) | (static_cast<Wrap<T>>(a) & sign));
    }
    return static_cast<T>(moved);
}
template <class T>
AICORE_INLINE T shift_right(T a, int64_t by) {
    constexpr int width = 8 * sizeof(T);
    if (by >= width) return a < 0 ? static_cast<T>(-1) : T(0);
    return static_cast<T>(a >> by);
}

// Floats are combined as the bits that they are made of.
template <class T>
using BitsOf = std::conditional_t<
    sizeof(T) == 8, uint64_t,
    std::conditional_t<sizeof(T) == 4, uint32_t, std::conditional_t<sizeof(T) == 2, uint16_t, uint8_t>>>;
template <class T>
AICORE_INLINE BitsOf<T> bits(T a) {
    return __builtin_bit_cast(BitsOf<T>, a);
}
template <class T>
AICORE_INLINE T from_bits(uint64_t b) {
    return __builtin_bit_cast(T, static_cast<BitsOf<T>>(b));
}
template <class T>
AICORE_INLINE T bits_and(T a, T b) {
    return from_bits<T>(bits(a) & bits(b));
}
template <class T>
AICORE_INLINE T bits_or(T a, T b) {
    return from_bits<T>(bits(a) | bits(b));
}
template <class T>
AICORE_INLINE T bits_xor(T a, T b) {
    return from_bits<T>(bits(a) ^ bits(b));
}
template <class T>
AICORE_INLINE T bits_not(T a) {
    return from_bits<T>(~static_cast<uint64_t>(bits(a)));
}

}  // namespace aicore::c_api

#define AICORE_C_API_UNARY(name, expression)                                                                    \
    template <class T>                                                                                          \
    __simd_callee__ inline void name(aicore::c_api::Reg<T>& dst, aicore::c_api::Reg<T> src, vector_bool mask) { \
        aicore::c_api::fill_lanes(dst, mask, [&](int i) __simd_callee__ -> T {                                  \
            const T a = src.lane[i];                                                                            \
            return aicore::c_api::expression;                                                                   \
        });                                                                                                     \
    }
AICORE_C_API_UNARY(asc_abs, absolute(a))
AICORE_C_API_UNARY(asc_neg, negate(a))
AICORE_C_API_UNARY(asc_relu, relu(a))
AICORE_C_API_UNARY(asc_exp, exponential(a))
AICORE_C_API_UNARY(asc_ln, logarithm(a))
AICORE_C_API_UNARY(asc_sqrt, square_root(a))
AICORE_C_API_UNARY(asc_not, bits_not(a))
#undef AICORE_C_API_UNARY

#define AICORE_C_API_BINARY(name, expression)                                                \
    template <class T>                                                                       \
    __simd_callee__ inline void name(aicore::c_api::Reg<T>& dst, aicore::c_api::Reg<T> src0, \
                                     aicore::c_api::Reg<T> src1, vector_bool mask) {         \
        aicore::c_api::fill_lanes(dst, mask, [&](int i) __simd_callee__ -> T {               \
            const T a = src0.lane[i], b = src1.lane[i];                                      \
            return aicore::c_api::expression;                                                \
        });                                                                                  \
    }
AICORE_C_API_BINARY(asc_add, add(a, b))
AICORE_C_API_BINARY(asc_sub, sub(a, b))
AICORE_C_API_BINARY(asc_mul, mul(a, b))
AICORE_C_API_BINARY(asc_div, div(a, b))
AICORE_C_API_BINARY(asc_max, maximum(a, b))
AICORE_C_API_BINARY(asc_min, minimum(a, b))
AICORE_C_API_BINARY(asc_and, bits_and(a, b))
AICORE_C_API_BINARY(asc_or, bits_or(a, b))
AICORE_C_API_BINARY(asc_xor, bits_xor(a, b))
AICORE_C_API_BINARY(asc_abs_sub, distance(a, b))
AICORE_C_API_BINARY(asc_exp_sub, exponential_difference(a, b))
AICORE_C_API_BINARY(asc_prelu, prelu(a, b))
#undef AICORE_C_API_BINARY

#define AICORE_C_API_SCALAR(name, expression)                                                        \
    template <class T, class S>                                                                      \
    __simd_callee__ inline void name(aicore::c_api::Reg<T>& dst, aicore::c_api::Reg<T> src, S value, \
                                     vector_bool mask) {                                             \
        const T b = static_cast<T>(value);                                                           \
        aicore::c_api::fill_lanes(dst, mask, [&](int i) __simd_callee__ -> T {                       \
            const T a = src.lane[i];                                                                 \
            return aicore::c_api::expression;                                                        \
        });                                                                                          \
    }
AICORE_C_API_SCALAR(asc_add_scalar, add(a, b))
AICORE_C_API_SCALAR(asc_mul_scalar, mul(a, b))
AICORE_C_API_SCALAR(asc_max_scalar, maximum(a, b))
AICORE_C_API_SCALAR(asc_min_scalar, minimum(a, b))
AICORE_C_API_SCALAR(asc_leakyrelu, prelu(a, b))
#undef AICORE_C_API_SCALAR

// Shifts by a vector of any integer of the width, or by one number.
#define AICORE_C_API_SHIFT(name, how)                                                                                 \
    template <class T, class B>                                                                                       \
    __simd_callee__ inline void name(aicore::c_api::Reg<T>& dst, aicore::c_api::Reg<T> src, aicore::c_api::Reg<B> by, \
                                     vector_bool mask) {                                                              \
        static_assert(sizeof(T) == sizeof(B));                                                                        \
        aicore::c_api::fill_lanes(dst, mask, [&](int i) __simd_callee__ -> T {                                        \
            return aicore::c_api::how(src.lane[i], static_cast<int64_t>(by.lane[i]));                                 \
        });                                                                                                           \
    }                                                                                                                 \
    template <class T>                                                                                                \
    __simd_callee__ inline void name##_scalar(aicore::c_api::Reg<T>& dst, aicore::c_api::Reg<T> src, int64_t by,      \
                                              vector_bool mask) {                                                     \
        aicore::c_api::fill_lanes(dst, mask,                                                                          \
                                  [&](int i) __simd_callee__ -> T { return aicore::c_api::how(src.lane[i], by); });   \
    }
AICORE_C_API_SHIFT(asc_shiftleft, shift_left)
AICORE_C_API_SHIFT(asc_shiftright, shift_right)
#undef AICORE_C_API_SHIFT

// dst = dst * src0 + src1, and dst = src * value + dst.
template <class T>
__simd_callee__ inline void asc_madd(aicore::c_api::Reg<T>& dst, aicore::c_api::Reg<T> src0, aicore::c_api::Reg<T> src1,
                                     vector_bool mask) {
    const auto old = dst;
    aicore::c_api::fill_lanes(dst, mask, [&](int i) __simd_callee__ -> T {
        return aicore::c_api::multiply_add(old.lane[i], src0.lane[i], src1.lane[i]);
    });
}
template <class T, class S>
__simd_callee__ inline void asc_axpy(aicore::c_api::Reg<T>& dst, aicore::c_api::Reg<T> src, S value, vector_bool mask) {
    const auto old = dst;
    const T b = static_cast<T>(value);
    aicore::c_api::fill_lanes(dst, mask, [&](int i) __simd_callee__ -> T {
        return aicore::c_api::multiply_add(src.lane[i], b, old.lane[i]);
    });
}

// 32-bit sums with carry: `carry` has a lane where the sum of the operands (of a and ~b for a difference) overflows.
namespace aicore::c_api {

template <class Carry>
__simd_callee__ inline void add_with_carry(Mask& carry, vector_u32& dst, const vector_u32& a, const vector_u32& b,
                                           uint32_t flip, Carry carry_in, const Mask& mask) {
    Mask out{};
    vector_u32 r;
    for (int i = 0; i < vector_u32::kLanes; ++i) {
        const uint64_t sum = uint64_t{a.lane[i]} + (b.lane[i] ^ flip) + carry_in(i);
        const bool active = mask.has<4>(i);
        r.lane[i] = active ? static_cast<uint32_t>(sum) : 0;
        out.put(4 * i, active && sum >> 32 != 0);
    }
    dst = r;
    carry = out;
}

}  // namespace aicore::c_api

__simd_callee__ inline void asc_add(vector_bool& carry, vector_u32& dst, vector_u32 a, vector_u32 b, vector_bool mask) {
    aicore::c_api::add_with_carry(carry, dst, a, b, 0, [](int) __simd_callee__ { return 0u; }, mask);
}
__simd_callee__ inline void asc_sub(vector_bool& carry, vector_u32& dst, vector_u32 a, vector_u32 b, vector_bool mask) {
    aicore::c_api::add_with_carry(carry, dst, a, b, ~0u, [](int) __simd_callee__ { return 1u; }, mask);
}
__simd_callee__ inline void asc_addc(vector_bool& carry, vector_u32& dst, vector_u32 a, vector_u32 b,
                                     vector_bool carry_in, vector_bool mask) {
    aicore::c_api::add_with_carry(
        carry, dst, a, b, 0, [&](int i) __simd_callee__ { return carry_in.has<4>(i) ? 1u : 0u; }, mask);
}
__simd_callee__ inline void asc_subc(vector_bool& carry, vector_u32& dst, vector_u32 a, vector_u32 b,
                                     vector_bool carry_in, vector_bool mask) {
    aicore::c_api::add_with_carry(
        carry, dst, a, b, ~0u, [&](int i) __simd_callee__ { return carry_in.has<4>(i) ? 1u : 0u; }, mask);
}

// Low and high 32 bits of the product.
template <class T>
__simd_callee__ inline void asc_mull(aicore::c_api::Reg<T>& low, aicore::c_api::Reg<T>& high, aicore::c_api::Reg<T> a,
                                     aicore::c_api::Reg<T> b, vector_bool mask) {
    static_assert(sizeof(T) == 4 && std::is_integral_v<T>);
    using Wide = std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>;
    const auto x = a, y = b;
    aicore::c_api::fill_lanes(low, mask, [&](int i) __simd_callee__ -> T {
        return static_cast<T>(static_cast<Wide>(x.lane[i]) * y.lane[i]);
    });
    aicore::c_api::fill_lanes(high, mask, [&](int i) __simd_callee__ -> T {
        return static_cast<T>((static_cast<Wide>(x.lane[i]) * y.lane[i]) >> 32);
    });
}
