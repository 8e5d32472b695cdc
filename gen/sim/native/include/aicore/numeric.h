// Number formats of the AI Core: half (IEEE binary16) and bfloat16_t, and exact conversions in every rounding mode.
//
// Both types behave like the built-in types of the device compiler: two bytes, trivially copyable, constexpr, implicit
// conversion to float; arithmetic computes in float and rounds once more, to nearest even. That is the correctly
// rounded result: float has 24 digits, at least 2 * 11 + 2, so that rounding twice equals rounding once (Figueroa,
// "When is double rounding innocuous?", ACM SIGNUM Newsletter 30(3), 1995). A subnormal float has only 16 digits more
// than the subnormal bfloat16 that it becomes, but sums of bfloat16 are exact there, and a product or quotient of
// numbers of 8 digits that is not halfway between two neighbours is further from it than that.
//
// Every function here is inlined and leaves its memory accesses to the caller, because faces find the regions of a
// vector function by compiler instrumentation, which would miss an access inside a helper that passes values in memory.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

#define AICORE_INLINE inline __attribute__((always_inline))

namespace aicore {

// none: to nearest even where the result is inexact. round: half away from zero. odd: truncate, then set the lowest
// bit of an inexact result (von Neumann rounding).
enum class Round : uint8_t { none, rint, floor, ceil, round, trunc, odd };

namespace detail {

AICORE_INLINE constexpr uint32_t float_bits(float x) { return __builtin_bit_cast(uint32_t, x); }
AICORE_INLINE constexpr float bits_float(uint32_t x) { return __builtin_bit_cast(float, x); }

// Whether a magnitude that lies between two neighbours goes to the upper one. `lowest` is the last kept bit of the
// lower neighbour; `half` and `sticky` are the first bit cut off and the union of all after it.
AICORE_INLINE constexpr bool rounds_up(Round mode, bool negative, bool lowest, bool half, bool sticky) {
    switch (mode) {
        case Round::none:
        case Round::rint:
            return half && (sticky || lowest);
        case Round::floor:
            return negative && (half || sticky);
        case Round::ceil:
            return !negative && (half || sticky);
        case Round::round:
            return half;
        case Round::trunc:
            return false;
        case Round::odd:
            return !lowest && (half || sticky);
    }
    return false;
}

// Rounds a float to a format with `ExpBits` bits of exponent and `ManBits` bits of stored significand.
// A finite value beyond the format becomes infinity, or the largest finite value where the mode rounds towards zero on
// that side or `saturate` is set. Saturation also turns infinity into the largest value and NaN into 0.
// (asc-devkit, docs/zh/api/SIMD-API, Cast: saturation mode.)
template <int ExpBits, int ManBits>
constexpr uint16_t narrow(float x, Round mode, bool saturate) {
    constexpr int kBias = (1 << (ExpBits - 1)) - 1;
    constexpr uint32_t kInf = ((1u << ExpBits) - 1) << ManBits;
    const uint32_t bits = float_bits(x);
    const bool negative = bits >> 31;
    const uint16_t sign = static_cast<uint16_t>(negative ? 1u << (ExpBits + ManBits) : 0);
    const int exponent = static_cast<int>((bits >> 23) & 0xFF);
    const uint32_t mantissa = bits & 0x7FFFFF;
    if (exponent == 0xFF && mantissa != 0) {
        if (saturate) return 0;
        return static_cast<uint16_t>(sign | kInf | (1u << (ManBits - 1)) | (mantissa >> (23 - ManBits)));
    }
    if (exponent == 0xFF) return static_cast<uint16_t>(sign | (saturate ? kInf - 1 : kInf));

    // Significand with its leading one, and how many of its low bits the format has no place for.
    const uint32_t significand = exponent == 0 ? mantissa : mantissa | 0x800000;
    const int unbiased = (exponent == 0 ? 1 : exponent) - 127;
    const int subnormal = 1 - kBias - unbiased;
    const int cut = 23 - ManBits + (subnormal > 0 ? subnormal : 0);
    uint32_t kept = 0;
    bool half = false, sticky = false;
    if (cut > 25) {
        sticky = significand != 0;
    } else {
        kept = cut >= 32 ? 0 : significand >> cut;
        half = cut > 0 && ((significand >> (cut - 1)) & 1);
        sticky = cut > 1 && (significand & ((1u << (cut - 1)) - 1)) != 0;
    }
    if (rounds_up(mode, negative, kept & 1, half, sticky)) ++kept;
    // In a subnormal the leading one is absent and a carry into it makes the smallest normal number by itself.
    const uint32_t base = subnormal > 0 ? 0 : static_cast<uint32_t>(unbiased + kBias - 1) << ManBits;
    const uint32_t result = base + kept;
    if (result < kInf) return static_cast<uint16_t>(sign | result);
    const bool inward = mode == Round::trunc || mode == Round::odd || (mode == Round::floor && !negative) ||
                        (mode == Round::ceil && negative);
    return static_cast<uint16_t>(sign | (saturate || inward ? kInf - 1 : kInf));
}

constexpr float widen_f16(uint16_t h) {
    const uint32_t sign = static_cast<uint32_t>(h & 0x8000) << 16;
    const uint32_t exponent = (h >> 10) & 0x1F;
    const uint32_t mantissa = h & 0x3FF;
    if (exponent == 0x1F) {
        return bits_float(sign | 0x7F800000 | (mantissa << 13) | (mantissa != 0 ? 0x400000u : 0u));
    }
    if (exponent != 0) return bits_float(sign | ((exponent + 112) << 23) | (mantissa << 13));
    const float magnitude = static_cast<float>(mantissa) * 0x1p-24f;
    return bits_float(sign | float_bits(magnitude));
}

AICORE_INLINE constexpr uint16_t narrow_bf16_rne(float x) {
    const uint32_t bits = float_bits(x);
    if ((bits & 0x7FFFFFFF) > 0x7F800000) return static_cast<uint16_t>((bits >> 16) | 0x40);
    return static_cast<uint16_t>((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16);
}

// The host's own conversions between half and float, where it has them: they round to nearest even and keep the payload
// of NaN, as the portable ones do.
#if defined(__aarch64__)
#define AICORE_HOST_HALF 1
typedef __fp16 HostHalf;
#elif defined(__F16C__) && defined(__clang__)
#define AICORE_HOST_HALF 1
typedef _Float16 HostHalf;
#elif defined(__F16C__)
#define AICORE_HOST_F16C 1
typedef float V4Float __attribute__((vector_size(16)));
typedef short V8Short __attribute__((vector_size(16)));
#endif

AICORE_INLINE uint16_t host_narrow(float x) {
#if defined(AICORE_HOST_HALF)
    return __builtin_bit_cast(uint16_t, static_cast<HostHalf>(x));
#elif defined(AICORE_HOST_F16C)
    const V4Float v = {x, 0, 0, 0};
    return static_cast<uint16_t>(__builtin_ia32_vcvtps2ph(v, 0)[0]);
#else
    return narrow<5, 10>(x, Round::rint, false);
#endif
}
AICORE_INLINE float host_widen(uint16_t h) {
#if defined(AICORE_HOST_HALF)
    return static_cast<float>(__builtin_bit_cast(HostHalf, h));
#elif defined(AICORE_HOST_F16C)
    const V8Short v = {static_cast<short>(h), 0, 0, 0, 0, 0, 0, 0};
    return __builtin_ia32_vcvtph2ps(v)[0];
#else
    return widen_f16(h);
#endif
}

}  // namespace detail

// float -> half / bfloat16 bits, to nearest even, overflow to infinity.
AICORE_INLINE constexpr uint16_t f32_to_f16(float x) {
    return __builtin_is_constant_evaluated() ? detail::narrow<5, 10>(x, Round::rint, false) : detail::host_narrow(x);
}
AICORE_INLINE constexpr float f16_to_f32(uint16_t h) {
    return __builtin_is_constant_evaluated() ? detail::widen_f16(h) : detail::host_widen(h);
}
AICORE_INLINE constexpr uint16_t f32_to_bf16(float x) { return detail::narrow_bf16_rne(x); }
AICORE_INLINE constexpr float bf16_to_f32(uint16_t b) { return detail::bits_float(static_cast<uint32_t>(b) << 16); }

// float -> half / bfloat16 bits in any rounding mode.
constexpr uint16_t f32_to_f16(float x, Round mode, bool saturate) { return detail::narrow<5, 10>(x, mode, saturate); }
constexpr uint16_t f32_to_bf16(float x, Round mode, bool saturate) { return detail::narrow<8, 7>(x, mode, saturate); }

namespace detail {

struct F16Format {
    AICORE_INLINE static constexpr uint16_t from(float x) { return f32_to_f16(x); }
    AICORE_INLINE static constexpr float to(uint16_t b) { return f16_to_f32(b); }
};
struct Bf16Format {
    AICORE_INLINE static constexpr uint16_t from(float x) { return f32_to_bf16(x); }
    AICORE_INLINE static constexpr float to(uint16_t b) { return bf16_to_f32(b); }
};

// A double rounded to float, to odd: the last bit says that something was cut off, so that a rounding to 16 bits that
// follows is right in every mode. Without branches, because loops over it are hot.
AICORE_INLINE constexpr float double_to_odd_float(double exact) {
    const float nearest = static_cast<float>(exact);
    const double back = static_cast<double>(nearest);
    const double size = exact < 0 ? -exact : exact, back_size = back < 0 ? -back : back;
    const uint32_t bits = float_bits(nearest);
    const bool even = (bits & 1) == 0, finite = (bits & 0x7F800000) != 0x7F800000;
    const uint32_t up = size > back_size ? 1 : 0, down = size < back_size ? 1 : 0;
    return bits_float(bits + ((even && finite) ? up - down : 0));
}

// A double or a large integer must not be rounded to float first and to 16 bits after: that would round twice.
template <class T>
AICORE_INLINE constexpr float to_float_sticky(T x) {
    if constexpr (std::is_same_v<T, float> || sizeof(T) <= 2) {
        return static_cast<float>(x);
    } else {
        return double_to_odd_float(static_cast<double>(x));
    }
}

}  // namespace detail

// A 16-bit floating-point number; `half` and `bfloat16_t` below.
template <class Format>
struct Float16 {
    uint16_t bits;

    Float16() = default;
    AICORE_INLINE constexpr Float16(float x) : bits(Format::from(x)) {}
    template <class T, std::enable_if_t<std::is_arithmetic_v<T> && !std::is_same_v<T, float>, int> = 0>
    AICORE_INLINE constexpr Float16(T x) : bits(Format::from(detail::to_float_sticky(x))) {}
    template <class Other, std::enable_if_t<!std::is_same_v<Other, Format>, int> = 0>
    AICORE_INLINE explicit constexpr Float16(Float16<Other> x) : bits(Format::from(static_cast<float>(x))) {}

    AICORE_INLINE static constexpr Float16 from_bits(uint16_t b) {
        Float16 r(0.0f);
        r.bits = b;
        return r;
    }
    AICORE_INLINE constexpr operator float() const { return Format::to(bits); }

    AICORE_INLINE constexpr Float16 operator+() const { return *this; }
    AICORE_INLINE constexpr Float16 operator-() const { return from_bits(static_cast<uint16_t>(bits ^ 0x8000)); }
    template <class T>
    AICORE_INLINE constexpr Float16& operator+=(T y) {
        return *this = Float16(*this + y);
    }
    template <class T>
    AICORE_INLINE constexpr Float16& operator-=(T y) {
        return *this = Float16(*this - y);
    }
    template <class T>
    AICORE_INLINE constexpr Float16& operator*=(T y) {
        return *this = Float16(*this * y);
    }
    template <class T>
    AICORE_INLINE constexpr Float16& operator/=(T y) {
        return *this = Float16(*this / y);
    }
    AICORE_INLINE constexpr Float16& operator++() { return *this += Float16(1.0f); }
    AICORE_INLINE constexpr Float16& operator--() { return *this -= Float16(1.0f); }
    AICORE_INLINE constexpr Float16 operator++(int) {
        const Float16 old = *this;
        ++*this;
        return old;
    }
    AICORE_INLINE constexpr Float16 operator--(int) {
        const Float16 old = *this;
        --*this;
        return old;
    }
};

using half = Float16<detail::F16Format>;
using bfloat16_t = Float16<detail::Bf16Format>;

static_assert(sizeof(half) == 2 && std::is_trivially_copyable_v<half> &&
              std::is_trivially_default_constructible_v<half>);

namespace detail {
// What a built-in 16-bit float gives with `T`: itself with integers, the wider type with float and double.
template <class H, class T>
using Mixed = std::conditional_t<std::is_floating_point_v<T>, T, H>;
template <class T>
using IfArithmetic = std::enable_if_t<std::is_arithmetic_v<T>, int>;
}  // namespace detail

#define AICORE_FLOAT16_ARITHMETIC(op)                                                     \
    template <class F>                                                                    \
    AICORE_INLINE constexpr Float16<F> operator op(Float16<F> a, Float16<F> b) {          \
        return Float16<F>(static_cast<float>(a) op static_cast<float>(b));                \
    }                                                                                     \
    template <class F, class T, detail::IfArithmetic<T> = 0>                              \
    AICORE_INLINE constexpr detail::Mixed<Float16<F>, T> operator op(Float16<F> a, T b) { \
        using R = detail::Mixed<Float16<F>, T>;                                           \
        return static_cast<R>(a) op static_cast<R>(b);                                    \
    }                                                                                     \
    template <class F, class T, detail::IfArithmetic<T> = 0>                              \
    AICORE_INLINE constexpr detail::Mixed<Float16<F>, T> operator op(T a, Float16<F> b) { \
        using R = detail::Mixed<Float16<F>, T>;                                           \
        return static_cast<R>(a) op static_cast<R>(b);                                    \
    }
AICORE_FLOAT16_ARITHMETIC(+)
AICORE_FLOAT16_ARITHMETIC(-)
AICORE_FLOAT16_ARITHMETIC(*)
AICORE_FLOAT16_ARITHMETIC(/)
#undef AICORE_FLOAT16_ARITHMETIC

#define AICORE_FLOAT16_COMPARISON(op)                                      \
    template <class F>                                                     \
    AICORE_INLINE constexpr bool operator op(Float16<F> a, Float16<F> b) { \
        return static_cast<float>(a) op static_cast<float>(b);             \
    }                                                                      \
    template <class F, class T, detail::IfArithmetic<T> = 0>               \
    AICORE_INLINE constexpr bool operator op(Float16<F> a, T b) {          \
        using R = detail::Mixed<Float16<F>, T>;                            \
        return static_cast<R>(a) op static_cast<R>(b);                     \
    }                                                                      \
    template <class F, class T, detail::IfArithmetic<T> = 0>               \
    AICORE_INLINE constexpr bool operator op(T a, Float16<F> b) {          \
        using R = detail::Mixed<Float16<F>, T>;                            \
        return static_cast<R>(a) op static_cast<R>(b);                     \
    }
AICORE_FLOAT16_COMPARISON(==)
AICORE_FLOAT16_COMPARISON(!=)
AICORE_FLOAT16_COMPARISON(<)
AICORE_FLOAT16_COMPARISON(<=)
AICORE_FLOAT16_COMPARISON(>)
AICORE_FLOAT16_COMPARISON(>=)
#undef AICORE_FLOAT16_COMPARISON

// ---- conversions of single values -----------------------------------------------------------------------------------

// `x` rounded to an integral value, in double (every float, half and int32 is exact in it).
inline double round_integral(double x, Round mode) {
    const double down = __builtin_floor(x);
    if (down == x || x != x) return x;
    const double fraction = x - down;
    const bool odd_down = __builtin_fmod(down, 2.0) != 0;
    double r = down;
    switch (mode) {
        case Round::none:
        case Round::rint:
            r = fraction > 0.5 || (fraction == 0.5 && odd_down) ? down + 1 : down;
            break;
        case Round::floor:
            break;
        case Round::ceil:
            r = down + 1;
            break;
        case Round::round:
            r = fraction > 0.5 || (fraction == 0.5 && x > 0) ? down + 1 : down;
            break;
        case Round::trunc:
            r = x < 0 ? down + 1 : down;
            break;
        case Round::odd:
            r = odd_down ? down : down + 1;
            break;
    }
    return __builtin_copysign(r, x);
}

// Floating point to integer. Out of range: the nearest bound with `saturate`, the low bits of the integral value
// without. NaN becomes 0.
template <class Int>
inline Int to_integer(double x, Round mode, bool saturate) {
    static_assert(std::is_integral_v<Int>);
    if (x != x) return 0;
    const double r = round_integral(x, mode);
    using Limits = std::numeric_limits<Int>;
    // The bounds as doubles; the upper one is 2^n, which is exact for every width.
    const double below = static_cast<double>(Limits::min());
    const double above = 2.0 * static_cast<double>(static_cast<Int>(Int{1} << (Limits::digits - 1)));
    if (r >= below && r < above) return static_cast<Int>(r);
    if (saturate) return r < 0 ? Limits::min() : Limits::max();
    if (!(r > -0x1p63 && r < 0x1p63)) {
        const double low = __builtin_fmod(r, 0x1p64);
        const double positive = low < 0 ? low + 0x1p64 : low;
        return positive < 0x1p64 ? static_cast<Int>(static_cast<uint64_t>(positive)) : Int{0};
    }
    return static_cast<Int>(static_cast<int64_t>(r));
}

// Integer to a narrower or differently signed integer.
template <class To, class From>
constexpr To narrow_integer(From x, bool saturate) {
    if (!saturate) return static_cast<To>(x);
    using Limits = std::numeric_limits<To>;
    if constexpr (std::is_signed_v<From>) {
        if (static_cast<int64_t>(x) < 0) {
            if constexpr (!std::is_signed_v<To>) return 0;
            return static_cast<int64_t>(x) < static_cast<int64_t>(Limits::min()) ? Limits::min() : static_cast<To>(x);
        }
    }
    return static_cast<uint64_t>(x) > static_cast<uint64_t>(Limits::max()) ? Limits::max() : static_cast<To>(x);
}

}  // namespace aicore
