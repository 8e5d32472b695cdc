// How often each instruction was executed, per pipe.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "aicore/core.h"

namespace aicore::engine {

using CountTable = std::map<std::string, std::map<std::string, uint64_t>>;  // pipe -> instruction -> number

// Counts by the address of the name, which is static storage; names are compared only when tables are merged.
class Counts {
public:
    void add(Pipe pipe, const char* name) {
        size_t slot = (reinterpret_cast<uintptr_t>(name) * 7 + static_cast<size_t>(pipe)) * 0x9E3779B97F4A7C15u >> 58;
        Cell& cell = fast_[slot];
        if (cell.name != name || cell.pipe != pipe) {
            flush(cell);
            cell = {name, pipe, 0};
        }
        ++cell.count;
    }
    void merge_into(CountTable& table);
    void clear();

private:
    struct Cell {
        const char* name = nullptr;
        Pipe pipe = Pipe::s;
        uint64_t count = 0;
    };
    void flush(const Cell& cell);

    Cell fast_[64];
    CountTable slow_;
};

}  // namespace aicore::engine
