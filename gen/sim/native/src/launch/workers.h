// Host threads that run the blocks of a launch.
#pragma once

namespace aicore::engine {

class Launch;

// Runs every block to its end. A block that waits for others makes room for them.
void run_blocks(Launch& launch);

}  // namespace aicore::engine
