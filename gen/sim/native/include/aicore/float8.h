// Floating-point formats of 8 bits, HF32, and the factors of FIXPIPE.
//
// E4M3 has no infinity and one NaN (S.1111.111); E5M2 follows IEEE 754 (Open Compute Project, 8-bit Floating Point
// Specification, 5.1). HiF8 has an exponent whose width depends on its size (Luo et al., "Ascend HiFloat8 Format for
// Deep Learning", arXiv:2409.16626, table 1).
#pragma once

#include <cstdint>

#include "aicore/numeric.h"

namespace aicore {

constexpr double power_of_two(int exponent) { return detail::bits_float(static_cast<uint32_t>(127 + exponent) << 23); }

// Rounds to nearest even into 8 bits. Beyond the largest finite value: that value with `saturate`, else NaN (E4M3) or
// infinity (E5M2).
template <int ExpBits, int ManBits, bool HasInfinity>
constexpr uint8_t to_float8(float x, bool saturate) {
    constexpr uint8_t kLargest = HasInfinity ? 0x7B : 0x7E, kNan = 0x7F, kBeyond = HasInfinity ? 0x7C : kNan;
    constexpr double kLargestValue = HasInfinity ? 57344 : 448;
    constexpr int kLowest = 2 - (1 << (ExpBits - 1));  // exponent of the smallest normal number
    if (x != x) return kNan;
    const uint32_t bits = detail::float_bits(x);
    const auto sign = static_cast<uint8_t>(bits >> 24 & 0x80);
    const auto beyond = static_cast<uint8_t>(sign | (saturate ? kLargest : kBeyond));
    const double magnitude = detail::bits_float(bits & 0x7FFFFFFF);
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
        return detail::bits_float(sign | 0x7FC00000);
    }
    if (HasInfinity && top) return detail::bits_float(sign | 0x7F800000);
    if (exponent == 0) {
        const float unit = detail::bits_float(static_cast<uint32_t>(127 + 1 - kBias - ManBits) << 23);
        const float magnitude = static_cast<float>(mantissa) * unit;
        return detail::bits_float(sign | detail::float_bits(magnitude));
    }
    return detail::bits_float(sign | static_cast<uint32_t>(exponent + 127 - kBias) << 23 | mantissa << (23 - ManBits));
}

constexpr uint8_t to_e4m3(float x, bool saturate) { return to_float8<4, 3, false>(x, saturate); }
constexpr uint8_t to_e5m2(float x, bool saturate) { return to_float8<5, 2, true>(x, saturate); }
constexpr float from_e4m3(uint8_t b) { return from_float8<4, 3, false>(b); }
constexpr float from_e5m2(uint8_t b) { return from_float8<5, 2, true>(b); }

// HiF8: after the sign a prefix (the "dot") tells how many bits of exponent follow: 11 four, 10 three, 01 two, 001 one,
// 0001 none; 0000 stands for powers of two below the normal range. The exponent is a sign and a magnitude whose leading
// one is not stored; what is left is the significand's fraction.
constexpr float from_hif8(uint8_t b) {
    const uint32_t sign = static_cast<uint32_t>(b & 0x80) << 24;
    const uint32_t body = b & 0x7F;
    if (body == 0) return detail::bits_float(sign != 0 ? 0x7FC00000 : 0);
    if (body == 0x6F) return detail::bits_float(sign | 0x7F800000);
    if (body < 8) return detail::bits_float(sign | (127 + body - 23) << 23);
    const int width = body >= 0x60 ? 4 : body >= 0x40 ? 3 : body >= 0x20 ? 2 : body >= 0x10 ? 1 : 0;
    const int fraction = width == 4 ? 1 : width == 3 ? 2 : 3;
    const uint32_t mantissa = body & ((1u << fraction) - 1);
    int exponent = 0;
    if (width > 0) {
        const uint32_t field = body >> fraction & ((1u << width) - 1);
        const uint32_t low = field & ((1u << (width - 1)) - 1);
        exponent = static_cast<int>(low | 1u << (width - 1));
        if (field >> (width - 1)) exponent = -exponent;
    }
    return detail::bits_float(sign | static_cast<uint32_t>(127 + exponent) << 23 | mantissa << (23 - fraction));
}

namespace detail {

// The magnitudes of HiF8 in rising order, with the code of each; infinity is left out.
struct HiF8Ladder {
    float value[0x7F] = {};
    uint8_t code[0x7F] = {};
};
constexpr HiF8Ladder hif8_ladder() {
    HiF8Ladder ladder;
    int count = 0;
    for (int code = 0; code < 0x80; ++code) {
        if (code == 0x6F) continue;
        const float x = from_hif8(static_cast<uint8_t>(code));
        int at = count++;
        for (; at > 0 && ladder.value[at - 1] > x; --at) {
            ladder.value[at] = ladder.value[at - 1];
            ladder.code[at] = ladder.code[at - 1];
        }
        ladder.value[at] = x;
        ladder.code[at] = static_cast<uint8_t>(code);
    }
    return ladder;
}

}  // namespace detail

// Rounds to nearest, ties away from zero. Beyond the largest value, 2^15, by half a step and more: infinity, or with
// `saturate` that value. There is no negative zero, whose code is NaN.
constexpr uint8_t to_hif8(float x, bool saturate) {
    constexpr detail::HiF8Ladder kLadder = detail::hif8_ladder();
    constexpr uint8_t kNan = 0x80, kInfinity = 0x6F;
    constexpr int kLast = 0x7E;
    constexpr float kBeyond = 40960;  // halfway to what would be 1.5 * 2^15
    if (x != x) return kNan;
    const float magnitude = x < 0 ? -x : x;
    const auto sign = static_cast<uint8_t>(x < 0 ? 0x80 : 0);
    if (magnitude >= kBeyond && !saturate) return sign | kInfinity;
    int low = 0, high = kLast;
    while (low < high) {  // the largest value that is not above
        const int middle = (low + high + 1) / 2;
        (kLadder.value[middle] <= magnitude ? low : high) = kLadder.value[middle] <= magnitude ? middle : middle - 1;
    }
    const bool up = low < kLast && magnitude - kLadder.value[low] >= kLadder.value[low + 1] - magnitude;
    const uint8_t code = kLadder.code[low + up];
    return code == 0 ? 0 : sign | code;
}

// The factors of MX formats: a power of two, or NaN (OCP Microscaling Formats Specification, E8M0).
constexpr float from_e8m0(uint8_t b) {
    return detail::bits_float(b == 0xFF ? 0x7FC00000 : b == 0 ? 0x00400000 : static_cast<uint32_t>(b) << 23);
}

// Four bits: a sign, exponent and significand with gradual underflow, neither infinity nor NaN (E2M1: OCP Microscaling
// Formats Specification; E1M2 likewise, with the bias 1: 0 to 1.75).
constexpr float from_e2m1(uint8_t nibble) {
    constexpr float kValues[] = {0, 0.5f, 1, 1.5f, 2, 3, 4, 6};
    return nibble & 8 ? -kValues[nibble & 7] : kValues[nibble & 7];
}
constexpr float from_e1m2(uint8_t nibble) {
    const float magnitude = static_cast<float>(nibble & 7) * 0.25f;
    return nibble & 8 ? -magnitude : magnitude;
}

// HF32 keeps 8 bits of exponent and 10 of the significand (asc-devkit, docs, HF32 and asc_hf32_round_mode: to nearest,
// ties to even or away from zero; the mode that was called "nearest zero" is the latter). Infinity and NaN stay.
enum class Hf32 : uint8_t { off, to_even, to_away };
constexpr float to_hf32(float x, Hf32 mode) {
    constexpr uint32_t kCut = 13, kHalf = 1u << (kCut - 1), kKept = ~((1u << kCut) - 1);
    const uint32_t bits = detail::float_bits(x);
    if (mode == Hf32::off || (bits & 0x7F800000) == 0x7F800000) return x;
    const uint32_t below_half = mode == Hf32::to_away ? kHalf : kHalf - 1 + (bits >> kCut & 1);
    return detail::bits_float((bits + below_half) & kKept);
}

}  // namespace aicore
