// On-chip memory of one block: L1, L0A, L0B, L0C, BT and FB of the AIC, and one UB per AIV.
#pragma once

#include <cstddef>
#include <cstdint>

#include "aicore/core.h"

namespace aicore::engine {

inline constexpr int kLocalMemories = 10;

inline constexpr int kFirstUb = 8;

// 0 L1, 1 L0A, 2 L0B, 3 L0C, 4 BT, 5 FB, 6 and 7 the memories beside L0A and L0B, 8 UB of AIV0, 9 UB of AIV1; -1 where
// the unit has no such memory.
int local_index(Space space, int unit);
Space local_space(int index);
int local_unit(int index);

class LocalMemory {
public:
    LocalMemory() = default;
    ~LocalMemory();
    LocalMemory(const LocalMemory&) = delete;
    LocalMemory& operator=(const LocalMemory&) = delete;

    void reserve(size_t capacity);
    // Address of offset 0; bytes [0, hi) are usable and were poisoned before their first use by this block.
    uint8_t* base(uint64_t hi) {
        if (hi > prepared_) prepare(hi);
        return base_;
    }
    // The next block finds poison again.
    void reset() { prepared_ = 0; }
    size_t capacity() const { return capacity_; }
    bool holds(const void* p) const { return static_cast<size_t>(static_cast<const uint8_t*>(p) - base_) < capacity_; }
    uint8_t* data() const { return base_; }

    // Bytes behind the end that are mapped but belong to nobody: an overrun is reported, and not a crash.
    static constexpr size_t kSlack = size_t{64} << 10;

private:
    void prepare(uint64_t hi);

    uint8_t* base_ = nullptr;
    size_t capacity_ = 0;
    uint64_t prepared_ = 0;
};

}  // namespace aicore::engine
