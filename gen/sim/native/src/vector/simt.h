// The threads of a SIMT function.
#pragma once

namespace aicore::engine {

// Ends all threads of the running SIMT function from inside of one of them: does not return then. Returns when no SIMT
// function runs.
void leave_simt();
// Goes back from the fiber of the vector function to the replay.
[[noreturn]] void abandon_vector_function();

}  // namespace aicore::engine
