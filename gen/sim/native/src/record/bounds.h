// Checks of single instructions that need no order: bounds, alignment, the core that issues them.
#pragma once

#include "replay/core.h"

namespace aicore::engine {

// Reports what is wrong with the regions of `op`. Marks it as not to be executed where it would leave its memory.
void check_instruction(Core& core, Op& op);

}  // namespace aicore::engine
