// Reductions across lanes. The result lies in the lowest lanes, the rest is 0.
// (asc-devkit, docs/zh/api/SIMD-API/C-API/reg/reduce_compute.)
#pragma once

#include <limits>

#include "c_api/reg/arithmetic.h"

namespace aicore::c_api {

// Sums of 16-bit integers are 32 bits wide.
template <class T>
struct SumOf {
    using type = T;
};
template <>
struct SumOf<int16_t> {
    using type = int32_t;
};
template <>
struct SumOf<uint16_t> {
    using type = uint32_t;
};
template <>
struct SumOf<int8_t> {
    using type = int16_t;
};
template <>
struct SumOf<uint8_t> {
    using type = uint16_t;
};

// A binary tree over neighbours: (0, 1), (2, 3), ... then pairs of pairs. Lanes outside the mask count as 0.
template <class S, class T>
__simd_callee__ inline S tree_sum(const T* lanes, int count, const Mask& mask, int first) {
    S level[kRegisterBytes];
    for (int i = 0; i < count; ++i) level[i] = mask.has<sizeof(T)>(first + i) ? static_cast<S>(lanes[i]) : S(0);
    for (int width = count / 2; width > 0; width /= 2) {
        for (int i = 0; i < width; ++i) level[i] = add(level[2 * i], level[2 * i + 1]);
    }
    return level[0];
}

template <class T>
constexpr T lowest() {
    if constexpr (kIsFloat<T>)
        return T(-__builtin_huge_valf());
    else
        return std::numeric_limits<T>::lowest();
}
template <class T>
constexpr T highest() {
    if constexpr (kIsFloat<T>)
        return T(__builtin_huge_valf());
    else
        return std::numeric_limits<T>::max();
}

// The extreme of the lanes in the mask and the lowest lane that holds it; the first NaN wins. No lane: the identity, 0.
template <class T>
struct Extreme {
    T value;
    int lane;
};
template <bool Max, class T>
__simd_callee__ inline Extreme<T> extreme(const T* lanes, int count, const Mask& mask, int first) {
    Extreme<T> best{Max ? lowest<T>() : highest<T>(), 0};
    bool found = false;
    for (int i = 0; i < count; ++i) {
        if (!mask.has<sizeof(T)>(first + i)) continue;
        if constexpr (kIsFloat<T>) {
            if (lanes[i] != lanes[i]) return {lanes[i], i};
        }
        const T next = Max ? maximum(best.value, lanes[i]) : minimum(best.value, lanes[i]);
        if (!found || bits(next) != bits(best.value)) best = {next, i};
        found = true;
    }
    return best;
}

}  // namespace aicore::c_api

template <class S, class T>
__simd_callee__ inline void asc_reduce_sum(aicore::c_api::Reg<S>& dst, aicore::c_api::Reg<T> src, vector_bool mask) {
    static_assert(std::is_same_v<S, typename aicore::c_api::SumOf<T>::type>);
    aicore::c_api::Reg<S> r{};
    r.lane[0] = aicore::c_api::tree_sum<S>(src.lane, src.kLanes, mask, 0);
    dst = r;
}

// Value in lane 0, its lane number as an integer in lane 1.
#define AICORE_C_API_EXTREME(name, is_max)                                                                      \
    template <class T>                                                                                          \
    __simd_callee__ inline void name(aicore::c_api::Reg<T>& dst, aicore::c_api::Reg<T> src, vector_bool mask) { \
        const auto best = aicore::c_api::extreme<is_max>(src.lane, src.kLanes, mask, 0);                        \
        aicore::c_api::Reg<T> r{};                                                                              \
        r.lane[0] = best.value;                                                                                 \
        r.lane[1] = aicore::c_api::from_bits<T>(static_cast<uint64_t>(best.lane));                              \
        dst = r;                                                                                                \
    }                                                                                                           \
    template <class T>                                                                                          \
    __simd_callee__ inline void name##_datablock(aicore::c_api::Reg<T>& dst, aicore::c_api::Reg<T> src,         \
                                                 vector_bool mask) {                                            \
        constexpr int lanes = 32 / sizeof(T);                                                                   \
        aicore::c_api::Reg<T> r{};                                                                              \
        for (int b = 0; b < 8; ++b) {                                                                           \
            r.lane[b] = aicore::c_api::extreme<is_max>(src.lane + b * lanes, lanes, mask, b * lanes).value;     \
        }                                                                                                       \
        dst = r;                                                                                                \
    }
AICORE_C_API_EXTREME(asc_reduce_max, true)
AICORE_C_API_EXTREME(asc_reduce_min, false)
#undef AICORE_C_API_EXTREME

// One sum per 32-byte block.
template <class T>
__simd_callee__ inline void asc_reduce_sum_datablock(aicore::c_api::Reg<T>& dst, aicore::c_api::Reg<T> src,
                                                     vector_bool mask) {
    constexpr int lanes = 32 / sizeof(T);
    aicore::c_api::Reg<T> r{};
    for (int b = 0; b < 8; ++b) {
        r.lane[b] = aicore::c_api::tree_sum<T>(src.lane + b * lanes, lanes, mask, b * lanes);
    }
    dst = r;
}

// Sums of neighbours, packed into the lower half.
template <class T>
__simd_callee__ inline void asc_pair_reduce_sum(aicore::c_api::Reg<T>& dst, aicore::c_api::Reg<T> src,
                                                vector_bool mask) {
    aicore::c_api::Reg<T> r{};
    for (int i = 0; i < r.kLanes / 2; ++i) r.lane[i] = aicore::c_api::tree_sum<T>(src.lane + 2 * i, 2, mask, 2 * i);
    dst = r;
}
