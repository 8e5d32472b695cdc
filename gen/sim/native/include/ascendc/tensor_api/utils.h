// Compile-time helpers and constants that kernels take from the AscendC headers.
// Values: asc-devkit, impl/basic_api/utils/kernel_utils_constants.h.
#pragma once

#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

#include "ascendc/tensor_api/core_state.h"

namespace AscendC {

inline constexpr uint32_t ONE_BLK_SIZE = 32;
inline constexpr uint32_t ONE_REPEAT_BYTE_SIZE = 256;
inline constexpr int32_t DEFAULT_C0_SIZE = 32;
inline constexpr int32_t DEFAULT_BLOCK_SIZE = 256;
inline constexpr int32_t DEFAULT_BLK_NUM = 8;
inline constexpr int32_t DEFAULT_BLK_STRIDE = 1;
inline constexpr uint8_t DEFAULT_REPEAT_STRIDE = 8;
inline constexpr uint8_t HALF_DEFAULT_REPEAT_STRIDE = 4;
inline constexpr int32_t MAX_REPEAT_TIMES = 255;
inline constexpr uint64_t FULL_MASK = ~0ull;

namespace Std {
using namespace ::std;
}

template <class T, class U>
struct IsSameType {
    static constexpr bool value = std::is_same_v<T, U>;
};
template <bool condition, class T, class U>
struct Conditional {
    using type = std::conditional_t<condition, T, U>;
};

// ceil(a / b)
template <class A, class B>
constexpr auto Ceil(A a, B b) {
    return (a + b - 1) / b;
}
constexpr uint32_t DivCeil(uint32_t a, uint32_t b) { return (a + b - 1) / b; }
constexpr uint32_t CeilDivision(uint32_t a, uint32_t b) { return (a + b - 1) / b; }
// The next multiple of b.
constexpr uint32_t AlignUp(uint32_t a, uint32_t b) { return DivCeil(a, b) * b; }

inline uint32_t GetUBSizeInBytes() { return static_cast<uint32_t>(aicore::usable(aicore::Space::ub)); }
inline uint32_t GetRuntimeUBSize() { return GetUBSizeInBytes(); }
// Ticks of the system counter: 50 MHz on dav-2201, 1 GHz on dav-3510 (docs, GetSystemCycle), from modelled cycles of a
// core at 1.85 GHz (1.65 GHz). Synchronise first: the counter does not wait for other pipes.
inline int64_t GetSystemCycle() {
    const double cycles = static_cast<double>(aicore::cycle_count());
    return static_cast<int64_t>(aicore::ascendc::kChip == aicore::Chip::dav2201 ? cycles * 50 / 1850
                                                                                : cycles * 1000 / 1650);
}

}  // namespace AscendC

namespace aicore::ascendc {

[[noreturn]] inline void assertion_failed(const char* condition) {
    const Message message("the kernel asserts that %s, and it does not hold.", condition);
    stop("assert", message.text);
}

}  // namespace aicore::ascendc

// An assertion of a kernel; what follows the condition is a message for the device's log.
#define ascendc_assert(condition, ...) \
    (static_cast<bool>(condition) ? void(0) : ::aicore::ascendc::assertion_failed(#condition))
