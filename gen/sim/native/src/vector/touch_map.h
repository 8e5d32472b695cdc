// The touched bytes of one run of a vector function, as regions.
#pragma once

#include <memory>
#include <vector>

#include "hazard/strided.h"
#include "vector/touching.h"

namespace aicore::engine {

class TouchMap {
public:
    // For `bytes` bytes of UB; all clear.
    explicit TouchMap(size_t bytes);

    uint8_t* reads() { return reads_.get(); }
    uint8_t* writes() { return writes_.get(); }
    size_t bytes() const { return bytes_; }
    // Turns the marks into regions, in ascending order, and clears them.
    static void drain(uint8_t* marks, size_t bytes, std::vector<Strided>& out);

private:
    size_t bytes_;
    std::unique_ptr<uint8_t[]> reads_, writes_;
};

// Folds sorted, disjoint runs of equal length at equal distances into two-dimensional regions.
std::vector<Strided> fold(const std::vector<Strided>& runs);

}  // namespace aicore::engine
