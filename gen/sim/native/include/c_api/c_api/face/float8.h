// 8-bit and 4-bit floats. E4M3 has no infinity and one NaN (S.1111.111); E5M2 follows IEEE 754.
// (Open Compute Project, 8-bit Floating Point Specification, 5.1.)
#pragma once

#include <cstdint>

#include "aicore/numeric.h"

namespace aicore::c_api {

constexpr double power_of_two(int exponent) {
    return aicore::detail::bits_float(static_cast<uint32_t>(127 + exponent) << 23);
}

// Rounds to nearest even into 8 bits. Beyond the largest finite value: that value with `saturate`, else NaN (E4M3) or
// infinity (E5M2).
template <int ExpBits, int ManBits, bool HasInfinity>
constexpr uint8_t to_float8(float x, bool saturate) {
    constexpr uint8_t kLargest = HasInfinity ? 0x7B : 0x7E, kNan = 0x7F, kBeyond = HasInfinity ? 0x7C : kNan;
    constexpr double kLargestValue = HasInfinity ? 57344 : 448;
    constexpr int kLowest = 2 - (1 << (ExpBits - 1));  // exponent of the smallest normal number
    if (x != x) return kNan;
    const uint32_t bits = aicore::detail::float_bits(x);
    const auto sign = static_cast<uint8_t>(bits >> 24 & 0x80);
    const auto beyond = static_cast<uint8_t>(sign | (saturate ? kLargest : kBeyond));
    const double magnitude = aicore::detail::bits_float(bits & 0x7FFFFFFF);
    if (magnitude >= 2 * kLargestValue) return beyond;

    const int exponent = static_cast<int>(bits >> 23 & 0xFF) - 127;
    const int used = exponent < kLowest ? kLowest : exponent;
    // In units of the last place, which makes the significand a whole number and the tie a half.
    const double scaled = magnitude / power_of_two(used - ManBits);
    auto whole = static_cast<uint32_t>(scaled);
    const double fraction = scaled - whole;
    if (fraction > 0.5 || (fraction == 0.5 && (whole & 1))) ++whole;
    if (whole * power_of_two(used - ManBits) > kLargestValue) return beyond;
    // The leading one of a normal number counts as one step of the exponent, and a carry out of it as another.
    return static_cast<uint8_t>(sign | (((used - kLowest) << ManBits) + whole));
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
