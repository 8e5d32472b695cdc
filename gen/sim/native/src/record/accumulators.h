// The accumulators in L0C, in program order: between two stores of a tile exactly one Mmad starts its sums, and it is
// the first one.
#pragma once

#include <cstdint>
#include <unordered_set>
#include <vector>

#include "record/op.h"

namespace aicore::engine {

struct Core;

class Accumulators {
public:
    // Follows an instruction of the AIC; reports a tile when it is stored.
    void see(Core& core, const Op& op);
    void clear() { cells_.clear(), stored_.clear(); }

private:
    static constexpr uint64_t kCell = 1024;  // one 16 x 16 fractal of 4 bytes

    enum class State : uint8_t { untouched, open, stored };
    enum class Fault : uint8_t { none, not_started, started_twice };
    struct Cell {
        State state = State::untouched;
        Fault fault = Fault::none;
        bool after_store = false;  // not started, but stored before
        bool loaded = false;       // its start value is no Mmad's
        uint32_t site = 0;         // of the Mmad that is at fault
        uint64_t tile = 0;         // which Mmad started it: its index, counted from 1
        const char* name = "";
    };

    void start(Cell& cell, const Op& op);
    void add(Cell& cell, const Op& op);
    static void report(Core& core, const Cell& cell, const Op& store, uint64_t at);

    std::vector<Cell> cells_;
    // Tiles of which something was stored. The rest of them, beyond a tail, is given up with that.
    std::unordered_set<uint64_t> stored_;
};

}  // namespace aicore::engine
