// Filling and moving lanes. (asc-devkit, docs/zh/api/SIMD-API/C-API/reg, data_fill, data_compress, data_rearrange,
// index_operate.)
#pragma once

#include "c_api/reg/arithmetic.h"

// One number in every lane of the mask.
template <class T, class S>
__simd_callee__ inline void asc_duplicate_scalar(aicore::c_api::Reg<T>& dst, S value, vector_bool mask) {
    const T b = static_cast<T>(value);
    aicore::c_api::fill_lanes(dst, mask, [&](int) __simd_callee__ -> T { return b; });
}
template <class T, class S>
__simd_callee__ inline void asc_duplicate_scalar(aicore::c_api::Reg<T>& dst, S value) {
    for (T& lane : dst.lane) lane = static_cast<T>(value);
}
// The lowest lane (the highest in the mask) of `src` in every lane of the mask.
template <class T>
__simd_callee__ inline void asc_duplicate(aicore::c_api::Reg<T>& dst, aicore::c_api::Reg<T> src, vector_bool mask) {
    asc_duplicate_scalar(dst, src.lane[0], mask);
}
template <class T>
__simd_callee__ inline void asc_duplicate_highest(aicore::c_api::Reg<T>& dst, aicore::c_api::Reg<T> src,
                                                  vector_bool mask) {
    asc_duplicate_scalar(dst, src.lane[src.kLanes - 1], mask);
}

// value, value + 1, ... from lane 0 up, or from the last lane down.
template <class T, class S>
__simd_callee__ inline void asc_arange(aicore::c_api::Reg<T>& dst, S value) {
    for (int i = 0; i < dst.kLanes; ++i) dst.lane[i] = aicore::c_api::add(static_cast<T>(value), static_cast<T>(i));
}
template <class T, class S>
__simd_callee__ inline void asc_arange_descend(aicore::c_api::Reg<T>& dst, S value) {
    for (int i = 0; i < dst.kLanes; ++i) {
        dst.lane[i] = aicore::c_api::add(static_cast<T>(value), static_cast<T>(dst.kLanes - 1 - i));
    }
}

// a[0], b[0], a[1], b[1], ... over two registers, and back.
template <class T>
__simd_callee__ inline void asc_intlv(aicore::c_api::Reg<T>& dst0, aicore::c_api::Reg<T>& dst1, aicore::c_api::Reg<T> a,
                                      aicore::c_api::Reg<T> b) {
    constexpr int mid = aicore::c_api::Reg<T>::kLanes / 2;
    for (int i = 0; i < mid; ++i) {
        dst0.lane[2 * i] = a.lane[i], dst0.lane[2 * i + 1] = b.lane[i];
        dst1.lane[2 * i] = a.lane[mid + i], dst1.lane[2 * i + 1] = b.lane[mid + i];
    }
}
template <class T>
__simd_callee__ inline void asc_deintlv(aicore::c_api::Reg<T>& dst0, aicore::c_api::Reg<T>& dst1,
                                        aicore::c_api::Reg<T> a, aicore::c_api::Reg<T> b) {
    constexpr int mid = aicore::c_api::Reg<T>::kLanes / 2;
    for (int i = 0; i < mid; ++i) {
        dst0.lane[i] = a.lane[2 * i], dst1.lane[i] = a.lane[2 * i + 1];
        dst0.lane[mid + i] = b.lane[2 * i], dst1.lane[mid + i] = b.lane[2 * i + 1];
    }
}

namespace aicore::c_api {

// The low half of each lane's bits, packed into one half of the register; the other half is 0.
template <class N, class W>
__simd_callee__ inline void pack_lanes(Reg<N>& dst, const Reg<W>& src, int first) {
    static_assert(2 * sizeof(N) == sizeof(W));
    Reg<N> r{};
    for (int i = 0; i < Reg<W>::kLanes; ++i) r.lane[first + i] = from_bits<N>(bits(src.lane[i]));
    dst = r;
}
template <class W, class N>
__simd_callee__ inline void unpack_lanes(Reg<W>& dst, const Reg<N>& src, int first) {
    static_assert(2 * sizeof(N) == sizeof(W));
    Reg<W> r;
    for (int i = 0; i < Reg<W>::kLanes; ++i) r.lane[i] = static_cast<W>(src.lane[first + i]);
    dst = r;
}

}  // namespace aicore::c_api

template <class N, class W>
__simd_callee__ inline void asc_pack_to_low(aicore::c_api::Reg<N>& dst, aicore::c_api::Reg<W> src) {
    aicore::c_api::pack_lanes(dst, src, 0);
}
template <class N, class W>
__simd_callee__ inline void asc_pack_to_high(aicore::c_api::Reg<N>& dst, aicore::c_api::Reg<W> src) {
    aicore::c_api::pack_lanes(dst, src, dst.kLanes / 2);
}
// Half of the lanes, widened with their sign.
template <class W, class N>
__simd_callee__ inline void asc_unpack_lower(aicore::c_api::Reg<W>& dst, aicore::c_api::Reg<N> src) {
    aicore::c_api::unpack_lanes(dst, src, 0);
}
template <class W, class N>
__simd_callee__ inline void asc_unpack_upper(aicore::c_api::Reg<W>& dst, aicore::c_api::Reg<N> src) {
    aicore::c_api::unpack_lanes(dst, src, src.kLanes / 2);
}
