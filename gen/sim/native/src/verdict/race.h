// Findings about order, in words.
#pragma once

#include "hazard/judge.h"

namespace aicore::engine {

void report_race(Group& group, const Core& core, const Op& op, const Access& first, const Touch& second);
// A flag is set twice in program order, and nothing waits for it in between.
void report_set_twice(Group& group, const Core& core, const Op& op, uint32_t first_site);
void report_cross_overflow(Group& group, const Core& target, int mode, int id, const Arrival& arrival, uint64_t room);

}  // namespace aicore::engine
