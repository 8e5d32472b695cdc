// The unit flags of L0C: one bit per 512 bytes, by which Mmad and Fixpipe wait for each other. Mmad waits for 0,
// Fixpipe for 1; with mode 3 an instruction turns the bit when it has ended, with mode 2 it leaves it. Source:
// asc-devkit, docs, 矩阵计算（ISASI）, Mmad计算关键特性说明, UnitFlag.
#pragma once

#include <cstdint>
#include <vector>

#include "record/op.h"

namespace aicore::engine {

struct Core;

class UnitFlags {
public:
    // Follows an instruction of the AIC.
    void see(const Op& op);
    // The core has issued everything: reports who waits for a bit that nobody turns, and bits that are left.
    void report(Core& core) const;
    void clear() { cells_.clear(); }

private:
    static constexpr uint64_t kCell = 512;
    static constexpr size_t kMostWaiting = 16;  // nothing that comes behind them tells more

    struct Use {
        Pipe pipe = Pipe::s;
        uint8_t mode = 0;  // 0: no use yet
        uint32_t site = 0;
        const char* name = "";
    };
    struct Cell {
        bool set = false;
        bool unused = false;  // some instruction goes without: what the bit orders is not known
        Use last;             // that has gone on
        std::vector<Use> waiting;
    };

    static void go_on(Cell& cell);
    static bool at_fault(const Cell& cell);
    static void report(Core& core, const Cell& cell, uint64_t at);

    std::vector<Cell> cells_;
};

}  // namespace aicore::engine
