// Counting bytes: dst[n] += how often a value occurs (or all values up to it), for 0..127 or 128..255.
// (asc-devkit, docs/zh/api/SIMD-API/C-API/reg/histogram_compute.)
#pragma once

#include "c_api/reg/vector.h"

namespace aicore::c_api {

__simd_callee__ inline void count_bytes(vector_u16& dst, const vector_u8& src, const Mask& mask, int first,
                                        bool cumulative) {
    uint32_t seen[256] = {};
    for (int i = 0; i < vector_u8::kLanes; ++i) seen[src.lane[i]] += mask.has<1>(i) ? 1 : 0;
    uint32_t total = 0;
    for (int v = 0; v < 256; ++v) {
        total += seen[v];
        if (v < first || v >= first + 128) continue;
        auto& lane = dst.lane[v - first];
        lane = static_cast<uint16_t>(lane + (cumulative ? total : seen[v]));
    }
}

}  // namespace aicore::c_api

#define AICORE_C_API_HISTOGRAM(name, first, cumulative)                                  \
    __simd_callee__ inline void name(vector_u16& dst, vector_u8 src, vector_bool mask) { \
        aicore::c_api::count_bytes(dst, src, mask, first, cumulative);                   \
    }
AICORE_C_API_HISTOGRAM(asc_frequency_histogram_bin0, 0, false)
AICORE_C_API_HISTOGRAM(asc_frequency_histogram_bin1, 128, false)
AICORE_C_API_HISTOGRAM(asc_cumulative_histogram_bin0, 0, true)
AICORE_C_API_HISTOGRAM(asc_cumulative_histogram_bin1, 128, true)
#undef AICORE_C_API_HISTOGRAM
