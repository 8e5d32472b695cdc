// Vector registers of 256 bytes and mask registers of 256 bits. (asc-devkit, docs/zh/api/SIMD-API/C-API/reg,
// reg_data_types/data_type_definition.)
#pragma once

#include <cstdint>

#include "aicore/numeric.h"
#include "c_api/face/float8.h"
#include "c_api/face/qualifiers.h"
#include "c_api/reg/tags.h"

namespace aicore::c_api {

inline constexpr int kRegisterBytes = 256;

template <class T>
struct Reg {
    static constexpr int kLanes = kRegisterBytes / sizeof(T);
    alignas(32) T lane[kLanes];
};

// One bit a byte of a vector register; of an element's bits the lowest counts.
struct Mask {
    uint64_t word[4];

    template <int ElementBytes>
    __simd_callee__ bool has(int lane) const {
        const int bit = lane * ElementBytes;
        return word[bit / 64] >> (bit % 64) & 1;
    }
    __simd_callee__ bool bit(int i) const { return word[i / 64] >> (i % 64) & 1; }
    __simd_callee__ void put(int i, bool on) {
        const uint64_t one = uint64_t{1} << (i % 64);
        word[i / 64] = on ? word[i / 64] | one : word[i / 64] & ~one;
    }
    // All bits that elements of this size look at are set.
    template <int ElementBytes>
    __simd_callee__ bool full() const {
        constexpr uint64_t counted = ElementBytes == 1   ? ~uint64_t{0}
                                     : ElementBytes == 2 ? 0x5555555555555555
                                     : ElementBytes == 4 ? 0x1111111111111111
                                                         : 0x0101010101010101;
        return (word[0] & word[1] & word[2] & word[3] & counted) == counted;
    }
};

// dst[i] = f(i) where the mask has lane i, else 0.
template <class T, class F>
__simd_callee__ inline void fill_lanes(Reg<T>& dst, const Mask& mask, F f) {
    Reg<T> r;
    for (int i = 0; i < Reg<T>::kLanes; ++i) r.lane[i] = f(i);
    if (!mask.full<sizeof(T)>()) {
        for (int i = 0; i < Reg<T>::kLanes; ++i) {
            if (!mask.has<sizeof(T)>(i)) r.lane[i] = T{};
        }
    }
    dst = r;
}

// Where the mask has no lane, `dst` keeps what it held.
template <class T>
__simd_callee__ inline void keep_inactive(Reg<T>& result, const Reg<T>& old, const Mask& mask) {
    for (int i = 0; i < Reg<T>::kLanes; ++i) {
        result.lane[i] = mask.has<sizeof(T)>(i) ? result.lane[i] : old.lane[i];
    }
}

}  // namespace aicore::c_api

using vector_bool = aicore::c_api::Mask;
using vector_f32 = aicore::c_api::Reg<float>;
using vector_f16 = aicore::c_api::Reg<half>;
using vector_bf16 = aicore::c_api::Reg<bfloat16_t>;
using vector_s64 = aicore::c_api::Reg<int64_t>;
using vector_u64 = aicore::c_api::Reg<uint64_t>;
using vector_s32 = aicore::c_api::Reg<int32_t>;
using vector_u32 = aicore::c_api::Reg<uint32_t>;
using vector_s16 = aicore::c_api::Reg<int16_t>;
using vector_u16 = aicore::c_api::Reg<uint16_t>;
using vector_s8 = aicore::c_api::Reg<int8_t>;
using vector_u8 = aicore::c_api::Reg<uint8_t>;
using vector_f8e4m3 = aicore::c_api::Reg<float8_e4m3_t>;
using vector_f8e5m2 = aicore::c_api::Reg<float8_e5m2_t>;
using vector_f8e8m0 = aicore::c_api::Reg<float8_e8m0_t>;
using vector_f4e2m1x2 = aicore::c_api::Reg<float4_e2m1x2_t>;
using vector_f4e1m2x2 = aicore::c_api::Reg<float4_e1m2x2_t>;

// The same types as CANN's documents name them.
using vector_float = vector_f32;
using vector_half = vector_f16;
using vector_bfloat16_t = vector_bf16;
using vector_int64_t = vector_s64;
using vector_uint64_t = vector_u64;
using vector_int32_t = vector_s32;
using vector_uint32_t = vector_u32;
using vector_int16_t = vector_s16;
using vector_uint16_t = vector_u16;
using vector_int8_t = vector_s8;
using vector_uint8_t = vector_u8;
