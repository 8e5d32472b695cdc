// Registers -> UB. `offset` counts elements of the pointer's type. Lanes outside the mask leave memory as it is.
// (asc-devkit, docs/zh/api/SIMD-API/C-API/reg/reg_store.)
#pragma once

#include "c_api/reg/access.h"

namespace aicore::c_api {

template <class T>
__simd_callee__ inline void store_norm(void* dst, const Reg<T>& src, const Mask& mask) {
    check_address(dst, 32);
    if (mask.full<sizeof(T)>()) return store_bytes(dst, &src, sizeof src);
    store_masked(dst, src.lane, Reg<T>::kLanes, mask, sizeof(T));
}

// The low half (Ratio 2) or quarter (Ratio 4) of each lane, one after the other.
template <int Ratio, class T>
__simd_callee__ inline void store_packed(void* dst, const Reg<T>& src, const Mask& mask) {
    constexpr int part = sizeof(T) / Ratio;
    struct Part {
        uint8_t byte[part];
    };
    Part out[Reg<T>::kLanes];
    for (int i = 0; i < Reg<T>::kLanes; ++i) std::memcpy(&out[i], &src.lane[i], part);
    check_address(dst, 32);
    if (mask.full<sizeof(T)>()) return store_bytes(dst, out, sizeof out);
    store_masked(dst, out, Reg<T>::kLanes, mask, sizeof(T));
}

}  // namespace aicore::c_api

template <class P, class T>
__simd_callee__ inline void asc_storealign(__ubuf__ P* dst, aicore::c_api::Reg<T> src, vector_bool mask) {
    static_assert(sizeof(T) == sizeof(P));
    aicore::c_api::store_norm(dst, src, mask);
}
template <class P, class T, class Offset>
__simd_callee__ inline void asc_storealign(__ubuf__ P* dst, aicore::c_api::Reg<T> src, Offset offset,
                                           vector_bool mask) {
    static_assert(sizeof(T) == sizeof(P));
    aicore::c_api::store_norm(dst + aicore::c_api::elements(offset), src, mask);
}
template <class P, class T>
__simd_callee__ inline void asc_storealign_postupdate(__ubuf__ P*& dst, aicore::c_api::Reg<T> src, int32_t offset,
                                                      vector_bool mask) {
    asc_storealign(dst, src, mask);
    dst += offset;
}

// Lane 0 alone, whatever the mask.
template <class P, class T>
__simd_callee__ inline void asc_storealign_1st(__ubuf__ P* dst, aicore::c_api::Reg<T> src, int32_t offset = 0) {
    static_assert(sizeof(T) == sizeof(P));
    aicore::c_api::check_address(dst + offset, sizeof(T));
    aicore::c_api::store_bytes(dst + offset, src.lane, sizeof(T));
}

template <class P, class T>
__simd_callee__ inline void asc_storealign_pack(__ubuf__ P* dst, aicore::c_api::Reg<T> src, int32_t offset,
                                                vector_bool mask) {
    static_assert(sizeof(T) == sizeof(P) && sizeof(T) >= 2);
    aicore::c_api::store_packed<2>(dst + offset, src, mask);
}
template <class P, class T>
__simd_callee__ inline void asc_storealign_pack_quarter(__ubuf__ P* dst, aicore::c_api::Reg<T> src, int32_t offset,
                                                        vector_bool mask) {
    static_assert(sizeof(T) == sizeof(P) && sizeof(T) == 4);
    aicore::c_api::store_packed<4>(dst + offset, src, mask);
}

// Element i of src0 and of src1 side by side; ignores masks.
template <class P, class T>
__simd_callee__ inline void asc_storealign_intlv(__ubuf__ P* dst, aicore::c_api::Reg<T> src0,
                                                 aicore::c_api::Reg<T> src1, int32_t offset = 0) {
    static_assert(sizeof(T) == sizeof(P));
    constexpr int lanes = aicore::c_api::Reg<T>::kLanes;
    T out[2 * lanes];
    for (int i = 0; i < lanes; ++i) out[2 * i] = src0.lane[i], out[2 * i + 1] = src1.lane[i];
    aicore::c_api::check_address(dst + offset, 32);
    aicore::c_api::store_bytes(dst + offset, out, sizeof out);
}
// tilelang's wrapper passes one register and a mask, which CANN's interface does not have.
template <class P, class T>
[[noreturn]] inline void asc_storealign_intlv(__ubuf__ P*, aicore::c_api::Reg<T>, int32_t, vector_bool) {
    aicore::unsupported("asc_storealign_intlv of one register");
}

namespace aicore::c_api {

// Block b (32 bytes) of the register to dst + b * block_stride blocks.
template <class T>
__simd_callee__ inline void store_blocks(void* dst, const Reg<T>& src, uint32_t block_stride, const Mask& mask) {
    constexpr int lanes = 32 / sizeof(T);
    check_address(dst, 32);
    for (int b = 0; b < 8; ++b) {
        bool active[lanes];
        for (int i = 0; i < lanes; ++i) active[i] = mask.has<sizeof(T)>(b * lanes + i);
        store_lanes(static_cast<uint8_t*>(dst) + 32ull * b * block_stride, src.lane + b * lanes, lanes, active);
    }
}

}  // namespace aicore::c_api

// Scattered blocks; the _postupdate form moves `dst` by repeat_stride blocks afterwards.
template <class P, class T>
__simd_callee__ inline void asc_storealign(__ubuf__ P* dst, aicore::c_api::Reg<T> src, uint16_t block_stride, uint16_t,
                                           vector_bool mask) {
    static_assert(sizeof(T) == sizeof(P));
    aicore::c_api::store_blocks(dst, src, block_stride, mask);
}
template <class P, class T>
__simd_callee__ inline void asc_storealign_postupdate(__ubuf__ P*& dst, aicore::c_api::Reg<T> src,
                                                      uint16_t block_stride, uint16_t repeat_stride, vector_bool mask) {
    static_assert(sizeof(T) == sizeof(P));
    aicore::c_api::store_blocks(dst, src, block_stride, mask);
    dst = reinterpret_cast<P*>(reinterpret_cast<uint8_t*>(dst) + 32ull * repeat_stride);
}

// A mask: 32 bytes, or its even bits in 16 bytes. The offset counts bytes.
template <class P>
__simd_callee__ inline void asc_storealign(__ubuf__ P* dst, vector_bool src, int32_t offset = 0) {
    auto* to = reinterpret_cast<uint8_t*>(dst) + offset;
    aicore::c_api::check_address(to, 32);
    aicore::c_api::store_bytes(to, &src, 32);
}
template <class P>
__simd_callee__ inline void asc_storealign_pack(__ubuf__ P* dst, vector_bool src, int32_t offset = 0) {
    vector_bool packed;
    asc_pack_to_low(packed, src);
    auto* to = reinterpret_cast<uint8_t*>(dst) + offset;
    aicore::c_api::check_address(to, 16);
    aicore::c_api::store_bytes(to, &packed, 16);
}

// dst[index[i]] = src[i]; of 8-bit elements the even lanes.
template <class P, class T, class I>
__simd_callee__ inline void asc_scatter(__ubuf__ P* dst, aicore::c_api::Reg<T> src, aicore::c_api::Reg<I> index,
                                        vector_bool mask) {
    static_assert(sizeof(T) == sizeof(P) && std::is_unsigned_v<I>);
    constexpr int step = sizeof(T) == 1 ? 2 : 1;
    aicore::c_api::check_address(dst, 32);
    for (int i = 0; i < aicore::c_api::Reg<T>::kLanes / step; ++i) {
        if (mask.has<sizeof(T)>(i * step)) {
            aicore::c_api::store_bytes(dst + index.lane[i], &src.lane[i * step], sizeof(T));
        }
    }
}
