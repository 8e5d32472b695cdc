// Modelled durations, in cycles of the core, from published closed forms only.
//
// Sources: [perf] asc-devkit, tests/perf/{load_data_perf,fixpipe_perf,mmad_perf}/README.md: latency + bytes /
// bandwidth. [pto] pto-isa, include/pto/costmodel: a2a3/cce_costmodel (vector: head + slope * repeats + tail,
// calibrated on 910B3), arch_config.hpp (single-core path bandwidths), a5/formula_costmodel/formula_params.csv. [issue]
// asc-devkit, examples/01_simd_cpp_api/05_best_practices/04_memory_access/data_copy/README.md: cost of issuing one
// DataCopy.
#pragma once

#include <cstdint>

#include "aicore/ops.h"

namespace aicore::ops::cycles {

// A transfer of `bytes` between two memories (bursts, fills, ND2NZ, fractals).
uint64_t transfer(Space src, Space dst, uint64_t bytes);
// Unfolding loads: `bytes` of the destination.
uint64_t im2col(Space dst, uint64_t bytes);
// ceil(m / 16) * ceil(n / 16) fractal products per K step.
uint64_t mmad(DType a, bool hf32, uint64_t m, uint64_t k, uint64_t n);
uint64_t fixpipe(Space dst, DType dst_type, uint64_t elements, bool dual);
// A vector instruction of `repeats` repeats of 256 bytes, of which `conflicts` meet a bank conflict in UB (banks.h).
uint64_t vector(VecOp op, uint64_t repeats, uint64_t conflicts = 0);
uint64_t vector_cast(uint64_t repeats);
uint64_t vector_compare(uint64_t repeats);
// Reduction inside repeats (`whole`: to one element per repeat; else to one per 32-B block).
uint64_t vector_reduce(Red op, bool whole, uint64_t repeats);
uint64_t vector_gather(uint64_t repeats);
// Sorting and compaction, by the repeats of 256 bytes that they store.
uint64_t vector_sort(uint64_t repeats);
uint64_t vector_squeeze(uint64_t repeats);

}  // namespace aicore::ops::cycles
