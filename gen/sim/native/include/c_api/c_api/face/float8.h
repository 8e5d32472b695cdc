// 8-bit and 4-bit floats as kernels store them; what they mean: aicore/float8.h.
#pragma once

#include <cstdint>

#include "aicore/float8.h"

namespace aicore::c_api {

using aicore::from_e4m3;
using aicore::from_e5m2;
using aicore::to_e4m3;
using aicore::to_e5m2;

}  // namespace aicore::c_api

// Storage types: a byte and its meaning.
struct float8_e4m3_t {
    uint8_t bits;
};
struct float8_e5m2_t {
    uint8_t bits;
};
struct float8_e8m0_t {
    uint8_t bits;
};
struct hifloat8_t {
    uint8_t bits;
};
struct float4_e2m1x2_t {
    uint8_t bits;
};
struct float4_e1m2x2_t {
    uint8_t bits;
};
using fp8_e4m3fn_t = float8_e4m3_t;
using fp8_e5m2_t = float8_e5m2_t;
using fp8_e8m0_t = float8_e8m0_t;
using fp4x2_e2m1_t = float4_e2m1x2_t;
using fp4x2_e1m2_t = float4_e1m2x2_t;
