// Judges the order of instructions by what each pipe knows to be complete.
#pragma once

#include <span>

#include "hazard/touch.h"
#include "replay/cross_flags.h"
#include "replay/group.h"

namespace aicore::engine {

// False when hardware or compiler order `op` after an earlier, still waiting instruction of another pipe that shares
// bytes with it (unit flags, --cce-auto-sync): it has to wait although no flag says so.
bool free_of_hidden_order(const Core& core, const Op& op);

// Reports every unordered conflict of the instruction that is about to run as number `seq` of its lane, and remembers
// what it touches.
void judge_accesses(Group& group, Core& core, const Op& op, uint32_t seq, std::span<const Touch> touches);

// A set that may be the sixteenth without a wait.
void judge_cross_set(Group& group, Core& target, int mode, int id, const CrossCounter& counter, const Arrival& arrival);

}  // namespace aicore::engine
