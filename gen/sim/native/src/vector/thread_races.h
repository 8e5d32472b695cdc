// Races between the threads of a SIMT function, as findings.
#pragma once

#include <vector>

#include "launch/launch.h"
#include "record/op.h"
#include "vector/thread_order.h"
#include "verdict/findings.h"

namespace aicore::engine {

// One finding for each barrier that is missing in the function that `op` issues.
std::vector<Finding> thread_findings(const Op& op, const std::vector<ThreadOrder::Race>& races, const Launch& launch);

}  // namespace aicore::engine
