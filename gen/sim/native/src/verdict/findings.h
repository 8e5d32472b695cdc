// What is wrong with a kernel: collected per block, merged per launch.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
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
    std::vector<Consequence> also;
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

private:
    using Key = std::tuple<std::string, std::string, uint32_t, uint32_t>;
    std::vector<Finding> all_;
    std::map<Key, size_t> index_;
    bool errors_ = false;
};

}  // namespace aicore::engine
