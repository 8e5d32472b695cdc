// What kernels stored in global memory, as files (environment AICORE_OUTPUTS: an existing folder).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace aicore::engine {

struct Output {
    int tensor = 0;    // order of allocation
    std::string name;  // what messages call it
    std::string file;  // in the folder
    uint64_t bytes = 0;
    bool fetched = false;  // the host takes it as a result
    bool atomic = false;   // a kernel added to it atomically
    bool read = false;     // a kernel read it
};

// Writes the tensor to a file of its own when a kernel has stored to it. Called when the host frees it.
void keep_output(int tensor);
// Writes all that are alive, and returns what was kept of the whole process. Called when it ends.
const std::vector<Output>& keep_outputs();

}  // namespace aicore::engine
