// Comparisons to masks and selection by them. A comparison with NaN is false, except "not equal".
// (asc-devkit, docs/zh/api/SIMD-API/C-API/reg/compare_and_select.)
#pragma once

#include "c_api/reg/mask.h"

namespace aicore::c_api {

template <class T, class F>
__simd_callee__ inline void compare_lanes(Mask& dst, const Mask& mask, F f) {
    Mask r{};
    for (int i = 0; i < Reg<T>::kLanes; ++i) {
        const int bit = i * static_cast<int>(sizeof(T));
        r.word[bit / 64] |= static_cast<uint64_t>(f(i)) << (bit % 64);
    }
    asc_and(dst, r, mask, mask);
}

}  // namespace aicore::c_api

#define AICORE_C_API_COMPARE(name, op)                                                                             \
    template <class T>                                                                                             \
    __simd_callee__ inline void asc_##name(vector_bool& dst, aicore::c_api::Reg<T> a, aicore::c_api::Reg<T> b,     \
                                           vector_bool mask) {                                                     \
        aicore::c_api::compare_lanes<T>(dst, mask, [&](int i) __simd_callee__ { return a.lane[i] op b.lane[i]; }); \
    }                                                                                                              \
    template <class T, class S>                                                                                    \
    __simd_callee__ inline void asc_##name##_scalar(vector_bool& dst, aicore::c_api::Reg<T> a, S value,            \
                                                    vector_bool mask) {                                            \
        const T b = static_cast<T>(value);                                                                         \
        aicore::c_api::compare_lanes<T>(dst, mask, [&](int i) __simd_callee__ { return a.lane[i] op b; });         \
    }
AICORE_C_API_COMPARE(eq, ==)
AICORE_C_API_COMPARE(ne, !=)
AICORE_C_API_COMPARE(gt, >)
AICORE_C_API_COMPARE(ge, >=)
AICORE_C_API_COMPARE(lt, <)
AICORE_C_API_COMPARE(le, <=)
#undef AICORE_C_API_COMPARE

// a where the mask has the lane, else b.
template <class T>
__simd_callee__ inline void asc_select(aicore::c_api::Reg<T>& dst, aicore::c_api::Reg<T> a, aicore::c_api::Reg<T> b,
                                       vector_bool mask) {
    aicore::c_api::keep_inactive(a, b, mask);
    dst = a;
}
// Lanes of the mask move, the others of `dst` stay.
template <class T>
__simd_callee__ inline void asc_copy(aicore::c_api::Reg<T>& dst, aicore::c_api::Reg<T> src, vector_bool mask) {
    aicore::c_api::keep_inactive(src, dst, mask);
    dst = src;
}

// The lanes of the mask, moved together at the low end; the rest is 0.
template <class T>
__simd_callee__ inline void asc_squeeze(aicore::c_api::Reg<T>& dst, aicore::c_api::Reg<T> src, vector_bool mask) {
    aicore::c_api::Reg<T> r{};
    int to = 0;
    for (int i = 0; i < r.kLanes; ++i) {
        if (mask.has<sizeof(T)>(i)) r.lane[to++] = src.lane[i];
    }
    dst = r;
}
// dst[i] = how many of the lanes before i are in the mask.
template <class T>
__simd_callee__ inline void asc_unsqueeze(aicore::c_api::Reg<T>& dst, vector_bool mask) {
    T count = 0;
    for (int i = 0; i < dst.kLanes; ++i) {
        dst.lane[i] = count;
        count = static_cast<T>(count + (mask.has<sizeof(T)>(i) ? 1 : 0));
    }
}
