// Source positions: call stacks, interned. A site is an index into one table for the whole process.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace aicore::engine {

inline constexpr int kMaxFrames = 12;

struct Stack {
    std::array<uint64_t, kMaxFrames> frames{};  // link-time addresses inside of the main program, innermost first
    int count = 0;
};

// The stack of the caller, by frame pointers; only addresses of the main program are kept. `limit` is the end of the
// running stack: nothing above it is read.
uint32_t current_site(const void* frame, uintptr_t limit);
const Stack& stack_of(uint32_t site);
// A name for the site that every run of the program gives it.
uint64_t site_key(uint32_t site);
// The one position that a call returns to.
uint32_t site_of(uintptr_t return_address);

// Walks from a frame pointer; used by current_site and by the crash report, allocates nothing.
void walk(const void* frame, uintptr_t limit, Stack& out);

// True for addresses in the code of the main program.
bool in_program(uintptr_t address);
uint64_t link_address(uintptr_t address);

}  // namespace aicore::engine
