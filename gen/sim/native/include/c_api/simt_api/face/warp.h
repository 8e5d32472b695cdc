// Operations of a warp: 32 neighbouring threads, of which only those take part that arrive.
// (asc-devkit, docs/zh/api/SIMT-API, Warp functions.)
#pragma once

#include "simt_api/face/short_vectors.h"
#include "simt_api/face/thread.h"

namespace aicore::c_api {

template <class T>
AICORE_INLINE uint64_t to_word(T value) {
    static_assert(sizeof(T) <= 8);
    uint64_t word = 0;
    __builtin_memcpy(&word, &value, sizeof(T));
    return word;
}
template <class T>
AICORE_INLINE T from_word(uint64_t word) {
    T value;
    __builtin_memcpy(&value, &word, sizeof(T));
    return value;
}

// Reduces the active lanes as a binary tree over neighbours: (0, 1), (2, 3), ... then pairs of pairs.
template <class T, class Op>
T warp_reduce(T value, T identity, Op op) {
    uint32_t active = 0;
    const uint64_t* words = simt_warp_exchange(to_word(value), &active);
    T lanes[32];
    for (int i = 0; i < 32; ++i) lanes[i] = (active >> i) & 1 ? from_word<T>(words[i]) : identity;
    for (int width = 16; width > 0; width /= 2) {
        for (int i = 0; i < width; ++i) lanes[i] = op(lanes[2 * i], lanes[2 * i + 1]);
    }
    return lanes[0];
}

// What lane `source` published; an inactive lane gives what hardware leaves undefined, so the kernel cannot go on.
template <class T>
T warp_pick(T value, uint32_t source) {
    uint32_t active = 0;
    const uint64_t* words = simt_warp_exchange(to_word(value), &active);
    if (!((active >> source) & 1)) unsupported("asc_shfl*: reads a lane that does not take part");
    return from_word<T>(words[source]);
}

template <class T>
struct Lowest {
    static constexpr T value = std::numeric_limits<T>::lowest();
};
template <>
struct Lowest<float> {
    static constexpr float value = -__builtin_huge_valf();
};
template <>
struct Lowest<half> {
    static constexpr half value = half::from_bits(0xFC00);
};
template <class T>
struct Highest {
    static constexpr T value = std::numeric_limits<T>::max();
};
template <>
struct Highest<float> {
    static constexpr float value = __builtin_huge_valf();
};
template <>
struct Highest<half> {
    static constexpr half value = half::from_bits(0x7C00);
};

}  // namespace aicore::c_api

// Every active lane gets the result. int32_t, uint32_t, float, half.
template <class T>
inline T asc_reduce_add(T value) {
    return aicore::c_api::warp_reduce<T>(value, T(0), [](T a, T b) { return static_cast<T>(a + b); });
}
template <class T>
inline T asc_reduce_max(T value) {
    return aicore::c_api::warp_reduce<T>(value, aicore::c_api::Lowest<T>::value,
                                         [](T a, T b) { return a > b ? a : b; });
}
template <class T>
inline T asc_reduce_min(T value) {
    return aicore::c_api::warp_reduce<T>(value, aicore::c_api::Highest<T>::value,
                                         [](T a, T b) { return a < b ? a : b; });
}

// The value of another lane. `width` cuts the warp into groups; a lane outside the own group gives the own value,
// except that asc_shfl_xor may read a lower group.
template <class T>
inline T asc_shfl(T value, int32_t lane, int32_t width = warpSize) {
    const uint32_t group = laneid() & ~static_cast<uint32_t>(width - 1);
    return aicore::c_api::warp_pick(value, group + (static_cast<uint32_t>(lane) & (width - 1)));
}
template <class T>
inline T asc_shfl_up(T value, uint32_t delta, int32_t width = warpSize) {
    const uint32_t self = laneid(), group = self & ~static_cast<uint32_t>(width - 1);
    return aicore::c_api::warp_pick(value, self >= group + delta ? self - delta : self);
}
template <class T>
inline T asc_shfl_down(T value, uint32_t delta, int32_t width = warpSize) {
    const uint32_t self = laneid(), group = self & ~static_cast<uint32_t>(width - 1);
    return aicore::c_api::warp_pick(value, self + delta < group + width ? self + delta : self);
}
template <class T>
inline T asc_shfl_xor(T value, int32_t lane_mask, int32_t width = warpSize) {
    const uint32_t self = laneid(), other = self ^ static_cast<uint32_t>(lane_mask);
    const uint32_t end = (self & ~static_cast<uint32_t>(width - 1)) + static_cast<uint32_t>(width);
    return aicore::c_api::warp_pick(value, other < end ? other : self);
}

inline uint32_t asc_ballot(int32_t predicate) {
    uint32_t active = 0, result = 0;
    const uint64_t* words = aicore::simt_warp_exchange(predicate != 0, &active);
    for (int i = 0; i < 32; ++i) result |= static_cast<uint32_t>(((active >> i) & 1) && words[i] != 0) << i;
    return result;
}
inline uint32_t asc_activemask() {
    uint32_t active = 0;
    aicore::simt_warp_exchange(0, &active);
    return active;
}
inline int32_t asc_any(int32_t predicate) { return asc_ballot(predicate) != 0; }
inline int32_t asc_all(int32_t predicate) {
    uint32_t active = 0;
    const uint64_t* words = aicore::simt_warp_exchange(predicate != 0, &active);
    for (int i = 0; i < 32; ++i) {
        if (((active >> i) & 1) && words[i] == 0) return 0;
    }
    return 1;
}
