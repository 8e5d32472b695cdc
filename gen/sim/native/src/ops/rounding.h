// Roundings of doubles to fewer digits, without branches: loops over them vectorise.
#pragma once

#include "aicore/numeric.h"

namespace aicore::ops::math {

AICORE_INLINE double from_bits(uint64_t b) { return __builtin_bit_cast(double, b); }
AICORE_INLINE uint64_t to_bits(double x) { return __builtin_bit_cast(uint64_t, x); }
constexpr double from_power(int e) { return __builtin_bit_cast(double, static_cast<uint64_t>(1023 + e) << 52); }

// x rounded to nearest even to `Digits` binary digits, in a format whose smallest normal number is 2^Lowest. Adding
// 1.5 * 2^52 units in the last place of that format makes the unit the last bit of the double: one exact rounding.
template <int Digits, int Lowest>
AICORE_INLINE double to_precision(double x) {
    constexpr uint64_t kExponent = 0x7FF0000000000000;
    constexpr double kSmallest = from_power(Lowest), kLargest = from_power(200);  // beyond every 16-bit format
    const double size = x < 0 ? -x : x;
    const double normal = size < kSmallest ? kSmallest : size;
    const double bounded = normal > kLargest ? kLargest : normal;
    const double shift = from_bits(to_bits(bounded) & kExponent) * (1.5 * from_power(53 - Digits));
    return __builtin_copysign((x + shift) - shift, x);
}

// a * b + c rounded to odd in double; exact enough for any rounding to 24 bits or fewer that follows. The product of
// two numbers of at most 26 bits is exact.
AICORE_INLINE double multiply_add_to_odd(double a, double b, double c) {
    const double p = a * b;
    const double s = p + c;
    const double pp = s - c, cc = s - pp;
    const double error = (p - pp) + (c - cc);  // exact (Knuth, TAOCP vol. 2, 4.2.2)
    const uint64_t bits = to_bits(s);
    const bool inexact = error != 0 && error == error && (bits & 1) == 0 && (bits << 1) != 0;
    const bool away = (error > 0) == (s > 0);
    return from_bits(inexact ? (away ? bits + 1 : bits - 1) : bits);
}

}  // namespace aicore::ops::math
