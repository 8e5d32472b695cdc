#include "banks.h"

#include <algorithm>

namespace aicore::ops {
namespace {

constexpr uint32_t kGroups = 16, kBlocksPerRepeat = 8;
// Strides are small: the pattern of groups repeats after 16 repeats, whatever they are.
constexpr uint64_t kPeriod = 16;

struct Touched {
    uint32_t groups = 0;  // one bit per bank group
    uint32_t bank = 0;    // of the first block; a repeat of contiguous blocks stays in one
};

Touched touch(const Stream& s, uint64_t repeat) {
    Touched t;
    const uint64_t first = s.addr / kBlock + repeat * s.rep;
    t.bank = static_cast<uint32_t>(first * kBlock >> 16) & 3;
    for (uint32_t b = 0; b < kBlocksPerRepeat; ++b) t.groups |= 1u << ((first + uint64_t{b} * s.blk) % kGroups);
    return t;
}

bool same_bank(const Touched& a, const Touched& b) { return a.bank == b.bank && (a.groups & b.groups) != 0; }

}  // namespace

uint64_t conflicting_repeats(const Stream& src0, const Stream& src1, const Stream& dst, uint64_t repeats) {
    const uint64_t seen = std::min(repeats, kPeriod);
    uint64_t conflicts = 0;
    for (uint64_t r = 0; r < seen; ++r) {
        const Touched a = touch(src0, r), b = touch(src1, r);
        bool conflict = src0.addr != src1.addr && (a.groups & b.groups) != 0;
        if (r > 0) {
            const Touched written = touch(dst, r - 1);
            conflict = conflict || same_bank(written, a) || same_bank(written, b);
        }
        conflicts += conflict;
    }
    return repeats <= kPeriod ? conflicts : conflicts * repeats / seen;
}

}  // namespace aicore::ops
