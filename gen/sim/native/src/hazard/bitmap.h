// One bit per byte of a tensor.
#pragma once

#include <cstdint>
#include <vector>

#include "hazard/strided.h"

namespace aicore::engine {

class Bitmap {
public:
    explicit Bitmap(uint64_t bits) : bits_(bits), words_((bits + 63) / 64) {}

    // `region` is relative to `base`, the address of bit 0.
    void set(const Strided& region, uint64_t base);
    bool any(const Strided& region, uint64_t base) const;
    void set(uint64_t lo, uint64_t hi);
    bool any(uint64_t lo, uint64_t hi) const;
    void add(const Bitmap& other);
    uint64_t count() const;
    // First position at or after `from` whose bit equals `value`; the size of the map if there is none.
    uint64_t next(uint64_t from, bool value) const;
    uint64_t size() const { return bits_; }

private:
    uint64_t bits_;
    std::vector<uint64_t> words_;
};

}  // namespace aicore::engine
