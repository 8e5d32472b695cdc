// Checks of single instructions that need no order: bounds, alignment, the core that issues them.
#pragma once

#include "replay/core.h"

namespace aicore::engine {

// Reports what is wrong with the regions of `op`. Marks it as not to be executed where it would leave its memory; what
// only leaves its buffer is carried out, as the hardware does, which knows no buffers.
void check_instruction(Core& core, Op& op);
// The same for an access that `op` turns out to make when it executes. False where it leaves its memory.
bool check_found(Core& core, Op& op, const Region& region);

}  // namespace aicore::engine
