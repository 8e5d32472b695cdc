// 8-bit and 4-bit floats. E4M3 has no infinity and one NaN (S.1111.111); E5M2 follows IEEE 754.
// (Open Compute Project, 8-bit Floating Point Specification, 5.1.)
#pragma once

#include <cstdint>

#include "aicore/numeric.h"

namespace aicore::c_api {

// Rounds to nearest even into 8 bits. Beyond the largest finite value: that value with `saturate`, else NaN (E4M3) or
// infinity (E5M2).
template <int ExpBits, int ManBits, bool HasInfinity>
constexpr uint8_t to_float8(float x, bool saturate) {
    constexpr uint8_t kLargest = HasInfinity ? 0x7B : 0x7E, kNan = 0x7F, kOver = HasInfinity ? 0x7C : kNan;
    if (x != x) return kNan;
    const uint8_t sign = aicore::detail::float_bits(x) >> 31 ? 0x80 : 0;
    // The format extended by one exponent bit never overflows where this one does, so its bits can be compared.
    const uint32_t magnitude = aicore::detail::float_bits(x) & 0x7FFFFFFF;
    constexpr int kBias = (1 << (ExpBits - 1)) - 1;
    const float a = aicore::detail::bits_float(magnitude);
    const float step = a < aicore::detail::bits_float(static_cast<uint32_t>(127 + 1 - kBias) << 23)
                           ? aicore::detail::bits_float(static_cast<uint32_t>(127 + 1 - kBias - ManBits) << 23)
                           : aicore::detail::bits_float((magnitude & 0x7F800000) - (ManBits << 23));
    if (magnitude >= 0x7F800000) return static_cast<uint8_t>(sign | (saturate ? kLargest : kOver));
    const double scaled = static_cast<double>(a) / static_cast<double>(step);
    uint64_t whole = static_cast<uint64_t>(scaled);
    const double fraction = scaled - static_cast<double>(whole);
    if (fraction > 0.5 || (fraction == 0.5 && (whole & 1))) ++whole;
    const float rounded = static_cast<float>(static_cast<double>(whole) * static_cast<double>(step));
    constexpr float kLargestValue = HasInfinity ? 57344.0f : 448.0f;
    if (rounded > kLargestValue) return static_cast<uint8_t>(sign | (saturate ? kLargest : kOver));
    const uint32_t bits = aicore::detail::float_bits(rounded);
    const int exponent = static_cast<int>(bits >> 23) - 127 + kBias;
    if (exponent < 1) return static_cast<uint8_t>(sign | whole);
    return static_cast<uint8_t>(sign | (exponent << ManBits) | ((bits & 0x7FFFFF) >> (23 - ManBits)));
}

template <int ExpBits, int ManBits, bool HasInfinity>
constexpr float from_float8(uint8_t b) {
    constexpr int kBias = (1 << (ExpBits - 1)) - 1;
    const uint32_t sign = static_cast<uint32_t>(b & 0x80) << 24;
    const int exponent = (b & 0x7F) >> ManBits;
    const uint32_t mantissa = b & ((1u << ManBits) - 1);
    const bool top = exponent == (1 << ExpBits) - 1;
    if (HasInfinity ? top && mantissa != 0 : top && mantissa == (1u << ManBits) - 1) {
        return aicore::detail::bits_float(sign | 0x7FC00000);
    }
    if (HasInfinity && top) return aicore::detail::bits_float(sign | 0x7F800000);
    if (exponent == 0) {
        const float unit = aicore::detail::bits_float(static_cast<uint32_t>(127 + 1 - kBias - ManBits) << 23);
        const float magnitude = static_cast<float>(mantissa) * unit;
        return aicore::detail::bits_float(sign | aicore::detail::float_bits(magnitude));
    }
    return aicore::detail::bits_float(sign | static_cast<uint32_t>(exponent + 127 - kBias) << 23 |
                                      mantissa << (23 - ManBits));
}

constexpr uint8_t to_e4m3(float x, bool saturate) { return to_float8<4, 3, false>(x, saturate); }
constexpr uint8_t to_e5m2(float x, bool saturate) { return to_float8<5, 2, true>(x, saturate); }
constexpr float from_e4m3(uint8_t b) { return from_float8<4, 3, false>(b); }
constexpr float from_e5m2(uint8_t b) { return from_float8<5, 2, true>(b); }

}  // namespace aicore::c_api

// Storage types: a byte and its meaning.
struct float8_e4m3_t {
    uint8_t bits;
};
struct float8_e5m2_t {
    uint8_t bits;
};
struct float8_e8m0_t {
    uint8_t bits;
};
struct float4_e2m1x2_t {
    uint8_t bits;
};
struct float4_e1m2x2_t {
    uint8_t bits;
};
using fp8_e8m0_t = float8_e8m0_t;
