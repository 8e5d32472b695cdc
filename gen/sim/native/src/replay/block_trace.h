// The trace of one block, until its launch ends.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace aicore::engine {

struct BlockTrace {
    std::string lines;
    std::vector<uint32_t> sites;  // source positions in them

    void clear() {
        lines.clear();
        sites.clear();
    }
};

}  // namespace aicore::engine
