// Transcendental functions in double, written so that loops over them vectorise. Errors are below 1e-13 relative where
// a float can hold the result, which is then within 0.500001 ulp. Special values follow C99 Annex F.
#pragma once

#include <cmath>
#include <limits>

#include "rounding.h"

namespace aicore::ops::math {

inline constexpr double kInf = std::numeric_limits<double>::infinity();

// x = k ln 2 + r, |r| <= ln 2 / 2; e^r by its Taylor series (next term below 7e-15), times 2^k.
AICORE_INLINE double exp(double x) {
    constexpr double kMagic = 0x1.8p52;  // adding it rounds to an integer and leaves that in the low bits
    const double bounded = x > 709.0 ? 709.0 : (x < -709.0 ? -709.0 : x);
    const double shifted = bounded * 0x1.71547652b82fep0 + kMagic;
    const double k = shifted - kMagic;
    const double r = (bounded - k * 0x1.62e42fefa38p-1) - k * 0x1.ef35793c7673p-45;
    double p = 1.0 / 39916800;
    p = p * r + 1.0 / 3628800;
    p = p * r + 1.0 / 362880;
    p = p * r + 1.0 / 40320;
    p = p * r + 1.0 / 5040;
    p = p * r + 1.0 / 720;
    p = p * r + 1.0 / 120;
    p = p * r + 1.0 / 24;
    p = p * r + 1.0 / 6;
    p = p * r + 0.5;
    p = p * r + 1.0;
    p = p * r + 1.0;
    const double scaled = p * from_bits((to_bits(shifted) + 1023) << 52);
    const double low = x < -709.0 ? 0.0 : scaled;
    return x > 709.0 ? kInf : low;
}

// x = 2^e m, m in [1/sqrt 2, sqrt 2); ln m = 2 atanh((m - 1) / (m + 1)) by its series (next term below 3e-17).
AICORE_INLINE double ln(double x) {
    const uint64_t bits = to_bits(x);
    const uint64_t high = (bits - 0x3FE6A09E00000000) >> 52;  // exponent relative to sqrt(1/2), modulo 2^12
    const double e = static_cast<double>(static_cast<int32_t>(static_cast<uint32_t>(high) << 20) >> 20);
    const double m = from_bits(bits - (high << 52));
    const double f = (m - 1) / (m + 1);
    const double s = f * f;
    double p = 1.0 / 21;
    p = p * s + 1.0 / 19;
    p = p * s + 1.0 / 17;
    p = p * s + 1.0 / 15;
    p = p * s + 1.0 / 13;
    p = p * s + 1.0 / 11;
    p = p * s + 1.0 / 9;
    p = p * s + 1.0 / 7;
    p = p * s + 1.0 / 5;
    p = p * s + 1.0 / 3;
    p = p * s + 1.0;
    const double finite = e * 0x1.62e42fefa39efp-1 + 2 * f * p;
    const double positive = x == kInf ? kInf : finite;
    const double zero = x == 0 ? -kInf : positive;
    return x < 0 || x != x ? std::numeric_limits<double>::quiet_NaN() : zero;
}

AICORE_INLINE double sigmoid(double x) { return 1.0 / (1.0 + exp(-x)); }
AICORE_INLINE double silu(double x) { return x / (1.0 + exp(-x)); }

// Near 0 the quotient loses its leading digits: a series there (next term below 6e-14 of the result).
AICORE_INLINE double tanh(double x) {
    const double s = x * x;
    double p = -1382.0 / 155925;
    p = p * s + 62.0 / 2835;
    p = p * s - 17.0 / 315;
    p = p * s + 2.0 / 15;
    p = p * s - 1.0 / 3;
    const double small = x + x * s * p;
    const double large = 1.0 - 2.0 / (exp(2.0 * x) + 1.0);
    return s < 0.125 * 0.125 ? small : large;
}

// 0.5 x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))), the tanh form.
AICORE_INLINE double gelu(double x) {
    constexpr double kTwice = 2 * 0.79788456080286535588;
    return x / (1.0 + exp(-kTwice * (x + 0.044715 * x * x * x)));
}

}  // namespace aicore::ops::math
