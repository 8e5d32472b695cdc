// Source positions: call stacks, interned. A site is an index into one table for the whole process.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

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
// For signal handlers: false where somebody else, or whoever was interrupted, has the table.
bool try_stack_of(uint32_t site, Stack& out);
// A name for the site that every run of the program gives it.
uint64_t site_key(uint32_t site);
// The one position that a call returns to.
uint32_t site_of(uintptr_t return_address);

// A position in a source that the program interprets. Its stack is one frame, which is no address but a name that every
// run gives it: kNamed and a hash.
inline constexpr uint64_t kNamed = uint64_t{1} << 63;
inline constexpr uint32_t kNoSite = UINT32_MAX;
struct NamedFrame {
    std::string function, file;
    uint32_t line = 0;
};
uint32_t named_site(std::vector<NamedFrame> frames, const std::string& call);
// What stands behind a frame that is a name.
const std::vector<NamedFrame>& frames_of(uint64_t name);
// As try_stack_of; null where the table is busy.
const std::vector<NamedFrame>* try_frames_of(uint64_t name);
// All names, in their order.
std::vector<uint64_t> names_of_sites();

// Walks from a frame pointer; used by current_site and by the crash report, allocates nothing.
void walk(const void* frame, uintptr_t limit, Stack& out);

// True for addresses in the code of the main program.
bool in_program(uintptr_t address);
uint64_t link_address(uintptr_t address);

}  // namespace aicore::engine
