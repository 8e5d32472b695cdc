// Scalar functions of a kernel: bits of a number, limits of a type, what the chip is. Source: asc-devkit, docs SIMD-API
// / scalar computation and utilities, the pages of these names; the older names: include/basic_api/
// kernel_operator_scalar_intf.h.
#pragma once

#include <limits>

#include "ascendc/tensor_api/sync.h"

namespace AscendC {

template <int countValue>
int64_t GetBitCount(uint64_t value) {
    static_assert(countValue == 0 || countValue == 1, "a bit is 0 or 1");
    return __builtin_popcountll(countValue == 1 ? value : ~value);
}
inline int64_t CountLeadingZero(uint64_t value) { return value == 0 ? 64 : __builtin_clzll(value); }
// How many bits behind the sign equal it; -1 where all do.
inline int64_t CountBitsCntSameAsSignBit(int64_t value) {
    return value == 0 || value == -1 ? -1 : __builtin_clrsbll(value);
}
// The lowest bit of this value; -1: there is none.
template <int countValue>
int64_t GetSFFValue(uint64_t value) {
    static_assert(countValue == 0 || countValue == 1, "a bit is 0 or 1");
    return __builtin_ffsll(static_cast<int64_t>(countValue == 1 ? value : ~value)) - 1;
}
template <int countValue>
int64_t ScalarGetCountOfValue(uint64_t value) {
    return GetBitCount<countValue>(value);
}
inline int64_t ScalarCountLeadingZero(uint64_t value) { return CountLeadingZero(value); }
template <int countValue>
int64_t ScalarGetSFFValue(uint64_t value) {
    return GetSFFValue<countValue>(value);
}

constexpr int16_t GetDataBlockSizeInBytes() { return 32; }

// A pause of the scalar unit; what it waits for does not change by it.
template <int count>
void Nop() {}

template <class T>
struct NumericLimits {
    static constexpr T Max() { return of(Which::max); }
    static constexpr T Min() { return of(Which::min); }
    static constexpr T Lowest() { return of(Which::lowest); }
    static constexpr T Infinity() { return of(Which::infinity); }
    static constexpr T NegativeInfinity() { return of(Which::negative_infinity); }
    static constexpr T QuietNaN() { return of(Which::quiet_nan); }
    static constexpr T SignalingNaN() { return of(Which::signaling_nan); }
    static constexpr T DeNormMin() { return of(Which::denorm_min); }

private:
    enum class Which { max, min, lowest, infinity, negative_infinity, quiet_nan, signaling_nan, denorm_min };

    static constexpr T of(Which which) {
        if constexpr (std::is_same_v<T, half>) {
            constexpr uint16_t kBits[] = {0x7bff, 0x0400, 0xfbff, 0x7c00, 0xfc00, 0x7e00, 0x7d00, 0x0001};
            return aicore::ascendc::value_of<T>(kBits[static_cast<int>(which)]);
        } else if constexpr (std::is_same_v<T, bfloat16_t>) {
            constexpr uint16_t kBits[] = {0x7f7f, 0x0080, 0xff7f, 0x7f80, 0xff80, 0x7fc0, 0x7fa0, 0x0001};
            return aicore::ascendc::value_of<T>(kBits[static_cast<int>(which)]);
        } else {
            using L = std::numeric_limits<T>;
            const T values[] = {L::max(),       L::min(),           L::lowest(),    L::infinity(), T(0) - L::infinity(),
                                L::quiet_NaN(), L::signaling_NaN(), L::denorm_min()};
            return values[static_cast<int>(which)];
        }
    }
};

// Runs a function on the cores of one kind.
enum class EngineType : int32_t { AIC = 1, AIV = 2 };
template <EngineType engine, auto function, class... Args>
void Async(Args... args) {
    if (engine == EngineType::AIC ? aicore::ascendc::is_aic() : aicore::ascendc::is_aiv()) function(args...);
}

}  // namespace AscendC
