// What is wrong with a kernel: collected per block, merged per launch.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "verdict/remedy.h"

namespace aicore::engine {

struct Place {
    std::string op;  // empty: no such place
    std::string pipe;
    uint32_t site = 0;
};

// A mistake that follows from another one.
struct Consequence {
    std::string code;
    std::string edge;
    uint64_t count = 1;
    Place first, second;
};

// A counter for flags between cores.
struct CrossName {
    int unit = -1;  // whose counter; -1: none
    int mode = 0, id = 0;
    bool operator==(const CrossName&) const = default;
};

// By what findings hang together (verdict/fold.h).
struct Links {
    FlagName flag{-1, Pipe::s, Pipe::s, 0};  // the flag that the finding is about
    CrossName cross;
    int from = -1, to = -1;          // lanes of an access and of the later one
    std::vector<FlagName> unwaited;  // flags that stand between two accesses, set and not waited for
    std::vector<CrossName> pending;  // likewise between cores
    int mutex = -1;                  // a buffer mutex, and the pipe that uses it wrongly
    int mutex_lane = -1;
    int shared_with = -1;    // of two flags that the chip may take for one: where the other one goes
    bool others = false;     // a wait for other blocks, which may be stuck themselves
    int tensor = -1;         // in global memory, that two cores or instructions write to, or nobody
    uint64_t holder_lo = 0;  // of an access out of bounds: offsets of the memory that it should stay in
    uint64_t holder_hi = 0;
    bool behind_outside = false;  // a circle of waits around an access that is out of bounds
};

struct Finding {
    std::string code;
    bool note = false;
    std::string message;      // what happens
    Remedy remedy;            // what to write
    std::string space;        // empty: no memory is involved
    uint64_t lo = 0, hi = 0;  // offsets; two's complement where an access lies before its tensor
    std::string edge;
    uint64_t count = 1;
    std::string core;
    Place first, second;
    Place behind;  // of a missing edge: the last instruction that it has to wait for, where that is not `first`
    std::vector<Consequence> also;
    Links links;
};

// Equal mistakes (code, edge, pair of source positions) are one finding with a count; the first one seen speaks for it.
class Findings {
public:
    // True when there was none of its kind yet.
    bool add(Finding finding);
    bool known(const std::string& code, const std::string& edge, uint32_t first, uint32_t second);
    void merge(const Findings& other);
    const std::vector<Finding>& all() const { return all_; }
    bool empty() const { return all_.empty(); }
    bool errors() const { return errors_; }
    void clear();
    std::vector<Finding> take() { return std::exchange(all_, {}); }

private:
    using Key = std::tuple<std::string, std::string, uint32_t, uint32_t>;
    std::vector<Finding> all_;
    std::map<Key, size_t> index_;
    bool errors_ = false;
};

}  // namespace aicore::engine
