// Bank conflicts of the Unified Buffer on dav-2201.
//
// UB is 16 bank groups of 3 banks; addr = {bank[1:0], row[6:0], group[3:0], byte[4:0]}. Two reads of one group, or a
// read and a write of one bank, cost the repeat another cycle; writes run one repeat behind the reads (asc-devkit,
// examples/01_simd_cpp_api/05_best_practices/04_memory_access/bank_conflict_ub/README.md, with measured cycles).
#pragma once

#include "shape.h"

namespace aicore::ops {

// An operand of a vector instruction as the memory sees it.
struct Stream {
    uint64_t addr;
    uint32_t blk, rep;  // strides in blocks of 32 bytes
};

// How many of `repeats` repeats of a two-source instruction take an extra cycle.
uint64_t conflicting_repeats(const Stream& src0, const Stream& src1, const Stream& dst, uint64_t repeats);

}  // namespace aicore::ops
