// Optional trace of the replay (environment AICORE_TRACE): JSON, one line per operation in the order of the replay,
// block after block. gen/sim/trace.py reads it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "replay/group.h"

namespace aicore::engine {

class Launch;

bool tracing();
// An operation that takes its pipe from `start` on (modelled cycles), for `cycles`.
void write_trace(const Core& core, const Op& op, uint64_t start, uint64_t cycles);
// What was recorded and never ran: the block is in a deadlock.
void write_pending(const Core& core);
// Appends the launch to the file: its tensors, new source positions, operations.
void flush_trace(const Launch& launch, const std::vector<BlockTrace>& blocks);

inline void trace_op(const Core& core, const Op& op, uint64_t start, uint64_t cycles) {
    if (tracing()) [[unlikely]]
        write_trace(core, op, start, cycles);
}

}  // namespace aicore::engine
