// Vector functions: kernel code on raw UB pointers, run at replay as one instruction of pipe V.
#pragma once

#include <vector>

#include "replay/group.h"
#include "vector/thread_order.h"

namespace aicore::engine {

// Findings of the vector function that runs.
void report_thread_races(const std::vector<ThreadOrder::Race>& races);
void run_vector_function(Group& group, Core& core, const Op& op, uint32_t seq);
// True while the calling host thread runs a vector function.
bool in_vector_function();
// Ends the running vector function at once, from inside of it.
[[noreturn]] void leave_vector_function();

}  // namespace aicore::engine
