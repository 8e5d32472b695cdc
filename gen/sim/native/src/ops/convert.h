// Conversions between element types, on contiguous elements: what Cast and the instructions that end with one compute.
#pragma once

#include "elements.h"

namespace aicore::ops {

// `scale`: the factor of int32 -> half.
struct Conversion {
    DType dst, src;
    Round round;
    bool saturate;
    float scale = 1.0f;
};
// At most kChunk elements of a pair of types that the table of Cast has.
void convert(const Conversion& c, uint8_t* dst, const uint8_t* src, size_t n);

}  // namespace aicore::ops
