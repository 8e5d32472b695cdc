// A replay in which each pipe starts its instructions in order, but ends them the other way round where the chip allows
// it, and as late as it can.
#pragma once

#include "replay/group.h"

namespace aicore::engine {

// Replays until nothing of the block can go on, or a core has got the value that it waited for. True when anything ran.
bool replay_reordered(Group& group);

}  // namespace aicore::engine
