#include "record/running.h"

#include <cstdio>
#include <cstdlib>

#include "launch/launch.h"
#include "replay/group.h"

namespace aicore::engine {

namespace {
constinit thread_local Core* current = nullptr;
constinit thread_local Group* block = nullptr;
}  // namespace

[[gnu::noinline]] Core* running() {
    asm volatile("");  // the address of a thread_local must not be kept across a switch
    return current;
}

[[gnu::noinline]] void set_running(Core* core) {
    asm volatile("");
    current = core;
}

[[gnu::noinline]] Group* working_on() {
    asm volatile("");
    return block;
}

[[gnu::noinline]] void set_working_on(Group* group) {
    asm volatile("");
    block = group;
}

void run_kernel(void* arg) {
    auto* core = static_cast<Core*>(arg);
    core->group->launch->call_kernel();
    end_core(*core, FiberState::finished);
}

void resume(Core& core) {
    set_running(&core);
    core.fiber.enter();
    set_running(nullptr);
}

void yield(Core& core, FiberState why) {
    core.state = why;
    core.fiber.leave();
}

void end_core(Core& core, FiberState how) {
    core.state = how;
    core.fiber.leave();
    std::abort();  // a finished core is never resumed
}

void not_in_kernel(const char* call) {
    std::fprintf(stderr, "crosstree: %s was called outside of a kernel\n", call);
    std::exit(70);
}

}  // namespace aicore::engine
