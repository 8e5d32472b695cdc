// The core whose kernel function runs on this host thread, and how control passes between it and the replay.
#pragma once

#include "replay/core.h"

namespace aicore::engine {

// The running core, or null on the host side. Fibers migrate: never keep the result across a switch.
Core* running();
void set_running(Core* core);
// The block that this host thread works on, in its kernel function or in the replay; null where it does neither.
Group* working_on();
void set_working_on(Group* group);

// Entry of a core's fiber: runs the kernel function of the launch.
void run_kernel(void* core);
// Runs the core until it needs the replay or is done.
void resume(Core& core);
// On the fiber: lets the replay run, and returns when it has got somewhere.
void yield(Core& core, FiberState why);
// On the fiber: ends the core for good.
[[noreturn]] void end_core(Core& core, FiberState how);

// Reports a call of the kernel's interface from outside of a kernel, and ends the process.
[[noreturn]] void not_in_kernel(const char* call);

}  // namespace aicore::engine
