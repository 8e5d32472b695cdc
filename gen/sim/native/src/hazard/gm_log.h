// What one block did to one tensor, kept until the end of the launch: blocks are compared with each other there.
#pragma once

#include <cstdint>
#include <vector>

#include "hazard/access.h"
#include "replay/clock.h"

namespace aicore::engine {

struct GmEntry {
    Access access;
    const Abroad* abroad = nullptr;  // what its pipe knew of other blocks
    uint32_t told = 0;               // how often its core had told other blocks of its progress
};

class GmLog {
public:
    void add(const Access& access, const Abroad* abroad, uint32_t told);
    const std::vector<GmEntry>& reads() const { return reads_; }
    const std::vector<GmEntry>& writes() const { return writes_; }

private:
    std::vector<GmEntry> reads_, writes_;
};

// One tensor as one block sees it.
struct GmTrack {
    AccessList accesses;
    GmLog log;
};

}  // namespace aicore::engine
