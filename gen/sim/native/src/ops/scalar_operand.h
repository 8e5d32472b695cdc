// A scalar that stands for a whole source.
#pragma once

#include "builder.h"

namespace aicore::ops {

struct ScalarBits {
    uint64_t bits;
    bool in_memory;
};
// `n` copies of the scalar, which lies at `one` where it is in memory.
void spread(const ScalarBits& scalar, const uint8_t* one, uint32_t size, uint8_t* to, size_t n);
// The region of a scalar in UB, aligned to its size.
Region element_of(const Mem& one, uint32_t size);
// Where the scalar lies in UB, the destination must not meet a source (docs, the pages of these calls).
void check_scalar_apart(const Mem& dst, uint64_t dst_bytes, const Mem& src, uint64_t src_bytes, const Mem& one,
                        uint32_t size);

}  // namespace aicore::ops
