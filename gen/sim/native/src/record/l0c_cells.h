// L0C in cells of one size, and those that an instruction touches.
#pragma once

#include <algorithm>
#include <cstdint>

#include "launch/profile.h"
#include "record/op.h"

namespace aicore::engine {

// Calls visit(cell, offset) for the cells of `bytes` bytes that `region` touches, each once while its rows ascend;
// `cells` becomes as long as L0C with the first region that lies there.
template <class Cells, class F>
void each_cell_of(Cells& cells, uint64_t bytes, const Region& region, F&& visit) {
    if (region.space != Space::l0c || region.empty()) return;
    if (cells.empty()) cells.resize(hardware_capacity(profile().chip, Space::l0c) / bytes);
    uint64_t next = 0;  // rows often share cells
    for (uint32_t row = 0; row < region.rows; ++row) {
        uint64_t lo = region.base + static_cast<uint64_t>(static_cast<int64_t>(row) * region.pitch);
        uint64_t last = std::min<uint64_t>((lo + region.row_bytes - 1) / bytes, cells.size() - 1);
        for (uint64_t at = std::max(lo / bytes, next); at <= last; ++at) visit(cells[at], at * bytes);
        if (region.pitch > 0) next = std::max(next, last + 1);
    }
}

}  // namespace aicore::engine
