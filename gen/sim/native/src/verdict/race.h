// Findings about order, in words.
#pragma once

#include "hazard/judge.h"

namespace aicore::engine {

void report_race(Group& group, const Core& core, const Op& op, const Access& first, const Touch& second);
void report_set_twice(Group& group, const Core& core, const Op& op, const Flag& flag);
void report_cross_overflow(Group& group, const Core& target, int mode, int id, const Arrival& arrival);

}  // namespace aicore::engine
