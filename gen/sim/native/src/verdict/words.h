// Names as messages and reports spell them.
#pragma once

#include <string>

#include "aicore/core.h"
#include "record/op.h"

namespace aicore::engine {

const char* word(Pipe pipe);
const char* word(Space space);
const char* unit_word(int unit);  // "AIC", "AIV0", "AIV1"
std::string core_word(int unit, uint32_t block);
std::string edge_word(int from_lane, int to_lane);
// "SetFlag MTE2 → V, id 0" and the like: an operation as a sentence names it.
std::string op_word(const Op& op);
std::string bytes_word(uint64_t lo, uint64_t hi);
std::string text(const char* format, ...) __attribute__((format(printf, 1, 2)));

}  // namespace aicore::engine
