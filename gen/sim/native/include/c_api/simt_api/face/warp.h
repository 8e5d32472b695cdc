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

// What the active lanes of the warp published. Inlined, because the model tells diverged lanes apart by the place in
// the kernel that they wait at; and taking words, because a 16-bit value passed to a call would hide its load.
struct Lanes {
    const uint64_t* words;
    uint32_t active;
    bool has(uint32_t lane) const { return (active >> lane) & 1; }
};
AICORE_INLINE Lanes exchange(uint64_t word) {
    Lanes lanes{};
    lanes.words = simt_warp_exchange(word, &lanes.active);
    return lanes;
}

// Reduces the active lanes as a binary tree over neighbours: (0, 1), (2, 3), ... then pairs of pairs.
template <class T, class Op>
uint64_t reduce(const Lanes& from, Op op) {
    T lanes[32];
    for (uint32_t i = 0; i < 32; ++i) lanes[i] = from.has(i) ? from_word<T>(from.words[i]) : Op::template identity<T>();
    for (int width = 16; width > 0; width /= 2) {
        for (int i = 0; i < width; ++i) lanes[i] = op(lanes[2 * i], lanes[2 * i + 1]);
    }
    return to_word(lanes[0]);
}

// What lane `source` published. An inactive lane gives what hardware leaves undefined: the kernel cannot go on.
inline uint64_t pick(const Lanes& from, uint32_t source) {
    if (!from.has(source)) unsupported("asc_shfl*: reads a lane that does not take part");
    return from.words[source];
}

struct Add {
    template <class T>
    static T identity() {
        return T(0);
    }
    template <class T>
    T operator()(T a, T b) const {
        return static_cast<T>(a + b);
    }
};
struct Max {
    template <class T>
    static T identity() {
        if constexpr (std::is_integral_v<T>) return std::numeric_limits<T>::lowest();
        return T(-__builtin_huge_valf());
    }
    template <class T>
    T operator()(T a, T b) const {
        return a > b ? a : b;
    }
};
struct Min {
    template <class T>
    static T identity() {
        if constexpr (std::is_integral_v<T>) return std::numeric_limits<T>::max();
        return T(__builtin_huge_valf());
    }
    template <class T>
    T operator()(T a, T b) const {
        return a < b ? a : b;
    }
};

}  // namespace aicore::c_api

#define AICORE_C_API_WARP_REDUCE(name, Op)                                             \
    template <class T>                                                                 \
    AICORE_INLINE T name(T value) {                                                    \
        using namespace aicore::c_api;                                                 \
        return from_word<T>(aicore::c_api::reduce<T>(exchange(to_word(value)), Op{})); \
    }
// Every active lane gets the result. int32_t, uint32_t, float, half.
AICORE_C_API_WARP_REDUCE(asc_reduce_add, Add)
AICORE_C_API_WARP_REDUCE(asc_reduce_max, Max)
AICORE_C_API_WARP_REDUCE(asc_reduce_min, Min)
#undef AICORE_C_API_WARP_REDUCE

// The value of another lane. `width` cuts the warp into groups; a lane outside the own group gives the own value,
// except that asc_shfl_xor may read a lower group.
namespace aicore::c_api {

inline uint32_t group_of(uint32_t lane, int32_t width) { return lane & ~static_cast<uint32_t>(width - 1); }
inline uint32_t lane_at(int32_t lane, int32_t width) {
    return group_of(laneid(), width) + (static_cast<uint32_t>(lane) & static_cast<uint32_t>(width - 1));
}
inline uint32_t lane_below(uint32_t delta, int32_t width) {
    const uint32_t self = laneid();
    return self >= group_of(self, width) + delta ? self - delta : self;
}
inline uint32_t lane_above(uint32_t delta, int32_t width) {
    const uint32_t self = laneid();
    return self + delta < group_of(self, width) + static_cast<uint32_t>(width) ? self + delta : self;
}
inline uint32_t lane_across(int32_t lane_mask, int32_t width) {
    const uint32_t self = laneid(), other = self ^ static_cast<uint32_t>(lane_mask);
    return other < group_of(self, width) + static_cast<uint32_t>(width) ? other : self;
}

}  // namespace aicore::c_api

#define AICORE_C_API_SHUFFLE(name, Operand, source)                                  \
    template <class T>                                                               \
    AICORE_INLINE T name(T value, Operand operand, int32_t width = warpSize) {       \
        using namespace aicore::c_api;                                               \
        return from_word<T>(pick(exchange(to_word(value)), source(operand, width))); \
    }
AICORE_C_API_SHUFFLE(asc_shfl, int32_t, lane_at)
AICORE_C_API_SHUFFLE(asc_shfl_up, uint32_t, lane_below)
AICORE_C_API_SHUFFLE(asc_shfl_down, uint32_t, lane_above)
AICORE_C_API_SHUFFLE(asc_shfl_xor, int32_t, lane_across)
#undef AICORE_C_API_SHUFFLE

namespace aicore::c_api {

inline uint32_t votes(const Lanes& lanes) {
    uint32_t result = 0;
    for (uint32_t i = 0; i < 32; ++i) result |= static_cast<uint32_t>(lanes.has(i) && lanes.words[i] != 0) << i;
    return result;
}

}  // namespace aicore::c_api

AICORE_INLINE uint32_t asc_ballot(int32_t predicate) {
    return aicore::c_api::votes(aicore::c_api::exchange(predicate != 0));
}
AICORE_INLINE uint32_t asc_activemask() { return aicore::c_api::exchange(0).active; }
AICORE_INLINE int32_t asc_any(int32_t predicate) { return asc_ballot(predicate) != 0; }
AICORE_INLINE int32_t asc_all(int32_t predicate) {
    const auto lanes = aicore::c_api::exchange(predicate != 0);
    return aicore::c_api::votes(lanes) == lanes.active;
}
