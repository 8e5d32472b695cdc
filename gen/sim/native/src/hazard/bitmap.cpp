#include "hazard/bitmap.h"

#include <algorithm>
#include <bit>

namespace aicore::engine {

namespace {

// Bits lo % 64 .. of the first word, and .. hi of the last.
uint64_t from_mask(uint64_t lo) { return ~uint64_t{0} << (lo % 64); }
uint64_t to_mask(uint64_t hi) { return ~uint64_t{0} >> (63 - (hi - 1) % 64); }

}  // namespace

void Bitmap::set(uint64_t lo, uint64_t hi) {
    if (lo >= hi) return;
    uint64_t first = lo / 64, last = (hi - 1) / 64;
    if (first == last) {
        words_[first] |= from_mask(lo) & to_mask(hi);
        return;
    }
    words_[first] |= from_mask(lo);
    std::fill(words_.begin() + static_cast<int64_t>(first + 1), words_.begin() + static_cast<int64_t>(last),
              ~uint64_t{0});
    words_[last] |= to_mask(hi);
}

bool Bitmap::any(uint64_t lo, uint64_t hi) const {
    if (lo >= hi) return false;
    uint64_t first = lo / 64, last = (hi - 1) / 64;
    if (first == last) return (words_[first] & from_mask(lo) & to_mask(hi)) != 0;
    uint64_t seen = (words_[first] & from_mask(lo)) | (words_[last] & to_mask(hi));
    for (uint64_t w = first + 1; w < last && !seen; ++w) seen |= words_[w];
    return seen != 0;
}

void Bitmap::set(const Strided& region, uint64_t base) {
    for (uint64_t i = 0; i < region.rows; ++i) {
        uint64_t lo = region.lo - base + i * region.pitch;
        set(lo, lo + region.len);
    }
}

bool Bitmap::any(const Strided& region, uint64_t base) const {
    for (uint64_t i = 0; i < region.rows; ++i) {
        uint64_t lo = region.lo - base + i * region.pitch;
        if (any(lo, lo + region.len)) return true;
    }
    return false;
}

void Bitmap::add(const Bitmap& other) {
    for (size_t w = 0; w < words_.size(); ++w) words_[w] |= other.words_[w];
}

uint64_t Bitmap::count() const {
    uint64_t n = 0;
    for (uint64_t w : words_) n += static_cast<uint64_t>(std::popcount(w));
    return n;
}

uint64_t Bitmap::next(uint64_t from, bool value) const {
    for (uint64_t w = from / 64; w < words_.size(); ++w) {
        uint64_t word = value ? words_[w] : ~words_[w];
        if (w == from / 64) word &= from_mask(from);
        if (word) return std::min<uint64_t>(bits_, w * 64 + static_cast<uint64_t>(std::countr_zero(word)));
    }
    return bits_;
}

}  // namespace aicore::engine
