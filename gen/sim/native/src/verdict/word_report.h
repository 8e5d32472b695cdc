// Words of global memory by which cores synchronise must be set before.
#pragma once

#include "replay/group.h"

namespace aicore::engine {

// Reports a word that neither the host nor this core has set, or that does not hold `expected`.
void check_word(Group& group, const Core& core, const Op& op, uint32_t expected);

}  // namespace aicore::engine
