// Which event flags a chip has.
#pragma once

#include "replay/core.h"

namespace aicore::engine {

// Why the chip has no such flag, or null. (asc-devkit, docs, 核内同步能力概述, tables 2 and 3;
// impl/basic_api/kernel_event.h, HardEvent and IsSplitCubePipe.)
const char* missing_pair(const Core& core, Pipe from, Pipe to);

// Reports a flag that the chip does not have, at the set and at its wait.
void check_pair(Core& core, const Op& wait, const OpenSet* set);
// Remarks on an id that the documents leave to the framework.
void check_reserved_id(Core& core, const Op& set);

}  // namespace aicore::engine
