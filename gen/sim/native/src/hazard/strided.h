// Arithmetic of two-dimensional byte regions: rows of equal length at an equal distance.
#pragma once

#include <cstdint>

#include "aicore/core.h"

namespace aicore::engine {

// Normalised: lo is the lowest byte, pitch > len, and rows == 1 for anything contiguous (pitch is 0 then).
struct Strided {
    uint64_t lo = 0, hi = 0;  // bounding box
    uint64_t len = 0, pitch = 0, rows = 0;

    bool contiguous() const { return rows == 1; }
    uint64_t bytes() const { return rows * len; }
};

Strided strided(const Region& r);
Strided interval(uint64_t lo, uint64_t hi);

// True when the regions share a byte. Exact, in logarithmic time.
bool overlaps(const Strided& a, const Strided& b);
// True only when every byte of `b` is in `a`; may say false for odd shapes.
bool covers(const Strided& a, const Strided& b);
bool same(const Strided& a, const Strided& b);

}  // namespace aicore::engine
