// Pairs of 8-bit floats in SIMT code. (asc-devkit, docs/zh/api/SIMT-API, fp8.)
#pragma once

#include "c_api/face/float8.h"
#include "c_api/face/qualifiers.h"
#include "simt_api/face/short_vectors.h"

struct float8_e4m3x2_t {
    uint16_t bits;
};
struct float8_e5m2x2_t {
    uint16_t bits;
};
using __asc_fp8x2_storage_t = uint16_t;

enum __asc_saturation_t { __ASC_NOSAT, __ASC_SATFINITE };
enum __asc_fp8_interpretation_t { __ASC_E4M3, __ASC_E5M2 };

AICORE_INLINE __asc_fp8x2_storage_t __asc_cvt_float2_to_fp8x2(float2 v, __asc_saturation_t saturation,
                                                              __asc_fp8_interpretation_t format) {
    const bool saturate = saturation == __ASC_SATFINITE;
    const auto convert = format == __ASC_E4M3 ? &aicore::c_api::to_e4m3 : &aicore::c_api::to_e5m2;
    return static_cast<uint16_t>(convert(v.x, saturate) | convert(v.y, saturate) << 8);
}

AICORE_INLINE float2 __e4m3x22float2(float8_e4m3x2_t v) {
    return {aicore::c_api::from_e4m3(static_cast<uint8_t>(v.bits)),
            aicore::c_api::from_e4m3(static_cast<uint8_t>(v.bits >> 8))};
}
AICORE_INLINE float2 __e5m2x22float2(float8_e5m2x2_t v) {
    return {aicore::c_api::from_e5m2(static_cast<uint8_t>(v.bits)),
            aicore::c_api::from_e5m2(static_cast<uint8_t>(v.bits >> 8))};
}
