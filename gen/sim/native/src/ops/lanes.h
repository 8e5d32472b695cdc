// What each vector operation computes, on contiguous elements.
#pragma once

#include "elements.h"

namespace aicore::ops {

// What an operation takes and on which elements it is defined.
struct Operation {
    VecOp op;
    const char* name;
    bool src0, src1;
    bool dst;        // reads its destination
    bool composite;  // adv_api: src1 is a temporary buffer, sources must not overlap the destination
    bool floats, integers;
};
const Operation& operation(VecOp op);

// Ends the core if the chip has no such operation on this type.
void check_type(VecOp op, DType t);

// dst[0..n) = op(src0, src1, scalar), and the previous dst where the operation reads it.
void compute(VecOp op, DType t, uint8_t* dst, const uint8_t* src0, const uint8_t* src1, double scalar, size_t n);

// The same for each kind of element; `copy` and `duplicate` are the same for all.
void compute_floats(VecOp op, DType t, uint8_t* dst, const uint8_t* src0, const uint8_t* src1, double scalar, size_t n);
void compute_integers(VecOp op, DType t, uint8_t* dst, const uint8_t* src0, const uint8_t* src1, double scalar,
                      size_t n);

}  // namespace aicore::ops
