// What Mmad computes, out of the regions of its instruction.
#pragma once

#include <cstdint>

#include "builder.h"
#include "panel.h"

namespace aicore::ops::product {

// Regions: 0 A, 1 B, 2 the whole groups of 16 columns of C; the others have an index, 0 where there is none.
struct Params {
    uint32_t m, n;
    uint32_t k_groups;  // blocks of C0
    uint32_t k_pitch;   // blocks of C0 in a row of fractals of A
    uint32_t k_unused;  // lanes of the last block that do not count
    uint32_t m_blocks;  // ceil(m / 16)
    uint32_t b_pitch;   // fractals of B from one block of C0 to the next
    DType type, type_b;
    Hf32 hf32;
    bool zz, gemv;
    panel::Start start;
    uint8_t tail_write, tail_read, bias;
    uint8_t scales;   // of A; those of B are the next region
    uint8_t indices;  // of a sparse B
};

inline size_t c0_of(DType t) {
    return t == DType::i4 || t == DType::e2m1 || t == DType::e1m2 ? 2 * kBlock : kBlock / size_of(t);
}
inline bool is_integer(DType t) { return t == DType::i8 || t == DType::i4; }

void multiply_floats(const void* params, uint8_t* const* at);
void multiply_integers(const void* params, uint8_t* const* at);
void multiply_sparse(const void* params, uint8_t* const* at);

}  // namespace aicore::ops::product
