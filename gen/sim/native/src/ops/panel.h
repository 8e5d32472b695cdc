// Panels of float for the matrix product, and the register-blocked kernel that multiplies them.
//
// A panel of A is rows of k floats. A panel of B holds, for one block of 16 columns, k rows of 16 floats. A tile of C
// is rows of 16 floats, as in L0C.
#pragma once

#include <cstddef>
#include <cstdint>

#include "aicore/ops.h"

namespace aicore::ops::panel {

inline constexpr size_t kColumns = 16;

// Fractals of A (16 rows of `c0` elements, 512 bytes) to rows of floats `stride` apart; only `rows` of the 16.
void widen_rows(DType t, const uint8_t* fractal, size_t c0, size_t rows, float* to, size_t stride);
// A fractal of B (16 columns of `c0` elements) to `c0` rows of 16 floats.
void widen_transposed(DType t, const uint8_t* fractal, size_t c0, float* to);

// What the elements of C start with.
enum class Start : uint8_t { zero, accumulate, row };

// One call of the kernel: C (m x 16 per group) = start + A (m x k) * B (k x 16 per group), summed in the order of k.
struct Product {
    const float* a;
    size_t a_stride;
    const float* b;  // first group; further groups `b_group` floats on
    size_t b_group;
    float* const* c;   // one pointer per group
    const float* row;  // Start::row: 16 floats per group
    size_t m, k, groups;
    Start start;
    bool fused;  // products are exact in float (16-bit inputs): one rounding per step
};
void multiply(const Product& p);

}  // namespace aicore::ops::panel
