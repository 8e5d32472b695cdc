// Findings about order, in words.
#pragma once

#include "hazard/judge.h"

namespace aicore::engine {

// `fed`: one of the two reads what a write that is ordered before it has written.
void report_race(Group& group, const Core& core, const Op& op, const Access& first, const Touch& second, bool fed);
// A flag is set twice in program order, and nothing waits for it in between.
void report_set_twice(Group& group, const Core& core, const Op& op, const OpenSet& first);
// A flag is set while another one of its source pipe and id is (`other`): a mistake only where the two are one.
void report_shared_id(Group& group, const Core& core, const OpenSet& first, const OpenSet& second,
                      const FlagName& other);
void report_cross_overflow(Group& group, const Core& target, int mode, int id, const Arrival& arrival, uint64_t room);

}  // namespace aicore::engine
