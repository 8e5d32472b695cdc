// Elements that an instruction finds by data, as the runs of bytes that they make up.
#pragma once

#include <algorithm>
#include <vector>

#include "builder.h"

namespace aicore::ops {

class Scattered {
public:
    // Of the memory, and with the bounds, of `like`.
    explicit Scattered(const Region& like) : like_(like) { like_.most = false; }

    void bound(uint64_t lo, uint64_t hi, uint16_t align) {
        like_.lo = lo, like_.hi = hi;
        like_.align = align;
    }
    void add(uint64_t address, uint64_t bytes) { runs_.push_back({address, address + bytes}); }
    // What starts at no element keeps its own address, so that its alignment is seen.
    void tell(Touched& touched) {
        std::sort(runs_.begin(), runs_.end());
        for (size_t i = 0; i < runs_.size();) {
            Run run = runs_[i];
            while (++i < runs_.size() && runs_[i].first <= run.second && aligned(runs_[i].first)) {
                run.second = std::max(run.second, runs_[i].second);
            }
            Region region = like_;
            region.base = run.first;
            region.rows = 1;
            region.row_bytes = run.second - run.first;
            touched.add(region);
        }
    }

private:
    using Run = std::pair<uint64_t, uint64_t>;

    bool aligned(uint64_t address) const { return like_.align <= 1 || address % like_.align == 0; }

    Region like_;
    std::vector<Run> runs_;
};

}  // namespace aicore::ops
