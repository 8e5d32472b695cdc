// Optional text trace of the replay (environment AICORE_TRACE): one line per executed instruction.
#pragma once

#include <cstdint>

#include "replay/group.h"

namespace aicore::engine {

bool tracing();
void write_trace(Group& group, const Core& core, const Op& op, uint64_t start);
// Appends the lines of one block to the file.
void flush_trace(const std::string& lines);

inline void trace_op(Group& group, const Core& core, const Op& op, uint64_t start) {
    if (tracing()) write_trace(group, core, op, start);
}

}  // namespace aicore::engine
