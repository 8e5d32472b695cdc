// Reductions of a few lanes to one value, and how results are stored.
//
// A sum is a binary tree over neighbours, each addition rounded to the element type; a lane that takes no part leaves
// its neighbour unchanged (asc-devkit, ReduceDataBlock). An extremum is the first one; NaN wins.
#pragma once

#include "elements.h"

namespace aicore::ops {

struct Value {
    float f = 0;         // of floating-point types
    int64_t i = 0;       // of integers
    uint32_t index = 0;  // of the extremum
};

inline constexpr size_t kMaxLanes = kRepeat;  // of one byte

// Where the lanes of a repeat lie: blocks of 32 bytes, `blk` bytes apart.
Value reduce_lanes(Red op, DType t, const uint8_t* lanes, uint32_t n, int64_t blk);
// `n` contiguous elements: repeats of 256 bytes, one after the other.
Value reduce_run(Red op, DType t, const uint8_t* from, uint64_t n);
// `n` integers, `pitch` bytes apart.
Value reduce_integers(Red op, DType t, const uint8_t* from, uint64_t n, int64_t pitch);

// a + b rounded to the type.
float sum_of(DType t, float a, float b);

void store_value(DType t, const Value& v, uint8_t* to);
void store_result(DType t, RedOut out, const Value& v, uint8_t* to);
uint32_t result_bytes(DType t, RedOut out);

// Ends the core if the chip does not reduce this type.
void check_reduction(const char* what, DType t);

}  // namespace aicore::ops
