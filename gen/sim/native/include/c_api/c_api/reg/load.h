// UB -> registers. `offset` counts elements from `src`; a _postupdate load reads at `src` and moves it afterwards.
// (asc-devkit, docs/zh/api/SIMD-API/C-API/reg/reg_load.)
#pragma once

#include "c_api/reg/access.h"

namespace aicore::c_api {

// One way in which memory becomes lanes; `P` is the pointer's type, of the size of a lane.
template <class T>
struct LoadNorm {
    __simd_callee__ static void run(Reg<T>& dst, const void* src) { load_bytes(&dst, src, kRegisterBytes, 32); }
};
template <class T>
struct LoadBroadcastElement {
    __simd_callee__ static void run(Reg<T>& dst, const void* src) {
        T value;
        load_bytes(&value, src, sizeof(T), sizeof(T));
        for (T& lane : dst.lane) lane = value;
    }
};
template <class T>
struct LoadUpsample {
    __simd_callee__ static void run(Reg<T>& dst, const void* src) {
        static_assert(sizeof(T) <= 2, "upsampling loads move 8- and 16-bit elements");
        T in[Reg<T>::kLanes / 2];
        load_bytes(in, src, sizeof in, 32);
        for (int i = 0; i < Reg<T>::kLanes; ++i) dst.lane[i] = in[i / 2];
    }
};
template <class T>
struct LoadDownsample {
    __simd_callee__ static void run(Reg<T>& dst, const void* src) {
        static_assert(sizeof(T) <= 2, "downsampling loads move 8- and 16-bit elements");
        T in[Reg<T>::kLanes * 2];
        load_bytes(in, src, sizeof in, 32);
        for (int i = 0; i < Reg<T>::kLanes; ++i) dst.lane[i] = in[2 * i];
    }
};
// The register read as lanes of 2 (4) times the width: each gets one element, the rest is 0.
template <class T, int Ratio>
struct LoadUnpackBy {
    __simd_callee__ static void run(Reg<T>& dst, const void* src) {
        T in[Reg<T>::kLanes / Ratio];
        load_bytes(in, src, sizeof in, 32);
        std::memset(&dst, 0, sizeof dst);
        for (int i = 0; i < Reg<T>::kLanes / Ratio; ++i) dst.lane[i * Ratio] = in[i];
    }
};
template <class T>
struct LoadUnpack : LoadUnpackBy<T, 2> {};
template <class T>
struct LoadUnpack4 : LoadUnpackBy<T, 4> {
    static_assert(sizeof(T) == 1, "unpack4 loads move 8-bit elements");
};
template <class T>
struct LoadBroadcastBlock {
    __simd_callee__ static void run(Reg<T>& dst, const void* src) {
        uint8_t block[32];
        load_bytes(block, src, sizeof block, 32);
        for (int i = 0; i < 8; ++i) std::memcpy(reinterpret_cast<uint8_t*>(&dst) + 32 * i, block, 32);
    }
};
// Eight elements, each over one 32-byte block.
template <class T>
struct LoadElementToBlock {
    __simd_callee__ static void run(Reg<T>& dst, const void* src) {
        static_assert(sizeof(T) == 2 || sizeof(T) == 4, "element-to-block loads move 16- and 32-bit elements");
        T in[8];
        load_bytes(in, src, sizeof in, 8 * sizeof(T));
        for (int i = 0; i < Reg<T>::kLanes; ++i) dst.lane[i] = in[i / (32 / sizeof(T))];
    }
};

}  // namespace aicore::c_api

#define AICORE_C_API_LOAD(name, How)                                                                              \
    template <class T, class P>                                                                                   \
    __simd_callee__ inline void name(aicore::c_api::Reg<T>& dst, __ubuf__ P* src) {                               \
        static_assert(sizeof(T) == sizeof(P));                                                                    \
        aicore::c_api::How<T>::run(dst, src);                                                                     \
    }                                                                                                             \
    template <class T, class P, class Offset>                                                                     \
    __simd_callee__ inline void name(aicore::c_api::Reg<T>& dst, __ubuf__ P* src, Offset offset) {                \
        static_assert(sizeof(T) == sizeof(P));                                                                    \
        aicore::c_api::How<T>::run(dst, src + aicore::c_api::elements(offset));                                   \
    }                                                                                                             \
    template <class T, class P>                                                                                   \
    __simd_callee__ inline void name##_postupdate(aicore::c_api::Reg<T>& dst, __ubuf__ P*& src, int32_t offset) { \
        static_assert(sizeof(T) == sizeof(P));                                                                    \
        aicore::c_api::How<T>::run(dst, src);                                                                     \
        src += offset;                                                                                            \
    }
AICORE_C_API_LOAD(asc_loadalign, LoadNorm)
AICORE_C_API_LOAD(asc_loadalign_brc_elem, LoadBroadcastElement)
AICORE_C_API_LOAD(asc_loadalign_upsample, LoadUpsample)
AICORE_C_API_LOAD(asc_loadalign_downsample, LoadDownsample)
AICORE_C_API_LOAD(asc_loadalign_unpack, LoadUnpack)
AICORE_C_API_LOAD(asc_loadalign_unpack4, LoadUnpack4)
AICORE_C_API_LOAD(asc_loadalign_brc_datablock, LoadBroadcastBlock)
AICORE_C_API_LOAD(asc_loadalign_brc_elem2datablock, LoadElementToBlock)
#undef AICORE_C_API_LOAD

// Two registers' worth: even elements to dst0, odd ones to dst1.
template <class T, class P>
__simd_callee__ inline void asc_loadalign_deintlv(aicore::c_api::Reg<T>& dst0, aicore::c_api::Reg<T>& dst1,
                                                  __ubuf__ P* src) {
    static_assert(sizeof(T) == sizeof(P));
    constexpr int lanes = aicore::c_api::Reg<T>::kLanes;
    T in[2 * lanes];
    aicore::c_api::load_bytes(in, src, sizeof in, 32);
    for (int i = 0; i < lanes; ++i) dst0.lane[i] = in[2 * i], dst1.lane[i] = in[2 * i + 1];
}
template <class T, class P, class Offset>
__simd_callee__ inline void asc_loadalign_deintlv(aicore::c_api::Reg<T>& dst0, aicore::c_api::Reg<T>& dst1,
                                                  __ubuf__ P* src, Offset offset) {
    asc_loadalign_deintlv(dst0, dst1, src + aicore::c_api::elements(offset));
}

// Masks: 32 bytes as they are; 16 bytes with every bit twice; every second bit of 64 bytes.
template <class P>
__simd_callee__ inline void asc_loadalign(vector_bool& dst, __ubuf__ P* src, int32_t offset = 0) {
    aicore::c_api::load_bytes(&dst, reinterpret_cast<const uint8_t*>(src) + offset, 32, 32);
}
template <class P>
__simd_callee__ inline void asc_loadalign_upsample(vector_bool& dst, __ubuf__ P* src, int32_t offset = 0) {
    uint64_t in[2];
    aicore::c_api::load_bytes(in, reinterpret_cast<const uint8_t*>(src) + offset, sizeof in, 16);
    for (int i = 0; i < 256; ++i) dst.put(i, in[i / 2 / 64] >> (i / 2 % 64) & 1);
}
template <class P>
__simd_callee__ inline void asc_loadalign_downsample(vector_bool& dst, __ubuf__ P* src, int32_t offset = 0) {
    uint64_t in[8];
    aicore::c_api::load_bytes(in, reinterpret_cast<const uint8_t*>(src) + offset, sizeof in, 32);
    for (int i = 0; i < 256; ++i) dst.put(i, in[2 * i / 64] >> (2 * i % 64) & 1);
}

// dst[i] = src[index[i]]; a byte lands in the lower half of a 16-bit lane. Lanes outside the mask read nothing.
template <class T, class P, class I>
__simd_callee__ inline void asc_gather(aicore::c_api::Reg<T>& dst, __ubuf__ P* src, aicore::c_api::Reg<I> index,
                                       vector_bool mask) {
    using aicore::c_api::Reg;
    static_assert(std::is_unsigned_v<I>);
    constexpr int lanes = Reg<T>::kLanes < Reg<I>::kLanes ? Reg<T>::kLanes : Reg<I>::kLanes;
    Reg<T> r;
    std::memset(&r, 0, sizeof r);
    for (int i = 0; i < lanes; ++i) {
        if (!mask.has<sizeof(P)>(i)) continue;
        aicore::c_api::load_bytes(&r.lane[i], src + index.lane[i], sizeof(P), sizeof(P));
    }
    dst = r;
}
// dst[i] = src[index[i] modulo the number of lanes], all in registers.
template <class T, class I>
__simd_callee__ inline void asc_gather(aicore::c_api::Reg<T>& dst, aicore::c_api::Reg<T> src,
                                       aicore::c_api::Reg<I> index) {
    constexpr int lanes = aicore::c_api::Reg<T>::kLanes;
    static_assert(sizeof(I) == sizeof(T) && std::is_unsigned_v<I>);
    aicore::c_api::Reg<T> r;
    for (int i = 0; i < lanes; ++i) r.lane[i] = src.lane[index.lane[i] % lanes];
    dst = r;
}

// Eight blocks of 32 bytes at src + index[b] bytes. A block is read if the mask has its first lane.
template <class T, class P>
__simd_callee__ inline void asc_gather_datablock(aicore::c_api::Reg<T>& dst, __ubuf__ P* src, vector_u32 index,
                                                 vector_bool mask) {
    auto* to = reinterpret_cast<uint8_t*>(&dst);
    for (int b = 0; b < 8; ++b) {
        uint8_t block[32] = {};
        constexpr int lanes = 32 / sizeof(T);
        bool any = false;
        for (int i = 0; i < lanes; ++i) any = any || mask.has<sizeof(T)>(b * lanes + i);
        if (any) {
            aicore::c_api::load_bytes(block, reinterpret_cast<const uint8_t*>(src) + index.lane[b], 32, 32);
        }
        for (int i = 0; i < lanes; ++i) {
            if (!mask.has<sizeof(T)>(b * lanes + i)) std::memset(block + i * sizeof(T), 0, sizeof(T));
        }
        std::memcpy(to + 32 * b, block, 32);
    }
}
template <class T, class P>
__simd_callee__ inline void asc_gather_datablock(aicore::c_api::Reg<T>& dst, __ubuf__ P* src, vector_u32 index) {
    asc_gather_datablock(dst, src, index, vector_bool{{~0ull, ~0ull, ~0ull, ~0ull}});
}
