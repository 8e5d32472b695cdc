// What each vector operation computes, on contiguous elements.
#pragma once

#include "elements.h"

namespace aicore::ops {

struct Uses {
    bool src0 = false, src1 = false;
    bool dst = false;        // reads its destination
    bool composite = false;  // adv_api: src1 is a temporary buffer, sources must not overlap the destination
};
Uses uses_of(VecOp op);

const char* name_of(VecOp op);
// Ends the core if the chip has no such operation on this type.
void check_type(VecOp op, DType t);

// dst[0..n) = op(src0, src1, scalar), the previous dst where the operation reads it.
void compute(VecOp op, DType t, uint8_t* dst, const uint8_t* src0, const uint8_t* src1, double scalar, size_t n);

}  // namespace aicore::ops
