// Conversions between number formats in SIMT code, by their CANN names. The suffix names the rounding; `_sat` clamps to
// the largest finite value. Without it a value beyond the format becomes infinity: the mode that the saturation bit of
// CTRL selects is not set by anything that tilelang emits.
#pragma once

#include "simt_api/face/short_vectors.h"

using aicore::bfloat16_t;
using aicore::half;

AICORE_INLINE float __half2float(half x) { return static_cast<float>(x); }
AICORE_INLINE float __bfloat162float(bfloat16_t x) { return static_cast<float>(x); }
AICORE_INLINE float2 __half22float2(half2 v) { return {static_cast<float>(v.x), static_cast<float>(v.y)}; }
AICORE_INLINE float2 __bfloat1622float2(bfloat16x2_t v) { return {static_cast<float>(v.x), static_cast<float>(v.y)}; }

AICORE_INLINE half __float2half(float x) { return half(x); }
AICORE_INLINE half __float2half_rn(float x) { return half(x); }
AICORE_INLINE bfloat16_t __float2bfloat16(float x) { return bfloat16_t(x); }
AICORE_INLINE bfloat16_t __float2bfloat16_rn(float x) { return bfloat16_t(x); }
AICORE_INLINE half2 __float22half2_rn(float2 v) { return {half(v.x), half(v.y)}; }
AICORE_INLINE bfloat16x2_t __float22bfloat162_rn(float2 v) { return {bfloat16_t(v.x), bfloat16_t(v.y)}; }
AICORE_INLINE half2 __floats2half2_rn(float x, float y) { return {half(x), half(y)}; }
AICORE_INLINE bfloat16x2_t __floats2bfloat162_rn(float x, float y) { return {bfloat16_t(x), bfloat16_t(y)}; }

#define AICORE_C_API_ROUNDING(suffix, mode, saturate)                                        \
    AICORE_INLINE half __float2half_##suffix(float x) {                                      \
        return half::from_bits(aicore::f32_to_f16(x, aicore::Round::mode, saturate));        \
    }                                                                                        \
    AICORE_INLINE bfloat16_t __float2bfloat16_##suffix(float x) {                            \
        return bfloat16_t::from_bits(aicore::f32_to_bf16(x, aicore::Round::mode, saturate)); \
    }                                                                                        \
    AICORE_INLINE half2 __float22half2_##suffix(float2 v) {                                  \
        return {__float2half_##suffix(v.x), __float2half_##suffix(v.y)};                     \
    }                                                                                        \
    AICORE_INLINE bfloat16x2_t __float22bfloat162_##suffix(float2 v) {                       \
        return {__float2bfloat16_##suffix(v.x), __float2bfloat16_##suffix(v.y)};             \
    }
AICORE_C_API_ROUNDING(rd, floor, false)
AICORE_C_API_ROUNDING(ru, ceil, false)
AICORE_C_API_ROUNDING(rz, trunc, false)
AICORE_C_API_ROUNDING(rna, round, false)
AICORE_C_API_ROUNDING(rn_sat, rint, true)
AICORE_C_API_ROUNDING(rd_sat, floor, true)
AICORE_C_API_ROUNDING(ru_sat, ceil, true)
AICORE_C_API_ROUNDING(rz_sat, trunc, true)
AICORE_C_API_ROUNDING(rna_sat, round, true)
#undef AICORE_C_API_ROUNDING

AICORE_INLINE half __ushort_as_half(unsigned short bits) { return half::from_bits(bits); }
AICORE_INLINE bfloat16_t __ushort_as_bfloat16(unsigned short bits) { return bfloat16_t::from_bits(bits); }
AICORE_INLINE int32_t __float_as_int(float x) { return __builtin_bit_cast(int32_t, x); }
AICORE_INLINE uint32_t __float_as_uint(float x) { return __builtin_bit_cast(uint32_t, x); }
AICORE_INLINE float __int_as_float(int32_t x) { return __builtin_bit_cast(float, x); }
AICORE_INLINE float __uint_as_float(uint32_t x) { return __builtin_bit_cast(float, x); }
