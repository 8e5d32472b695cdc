// One block of the grid: an AIC and its AIVs, their memories, and the replay of what they issue.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "hazard/gm_log.h"
#include "hazard/unwritten.h"
#include "memory/local.h"
#include "replay/block_trace.h"
#include "replay/core.h"
#include "replay/sync_log.h"
#include "verdict/findings.h"

namespace aicore::engine {

class InterBlock;
class Launch;

// holds: it could go on, but only with what the schedule wants late, and other blocks shall come first.
enum class Progress : uint8_t { finished, waits_for_blocks, holds, deadlock, aborted };

struct Group {
    Launch* launch = nullptr;
    uint32_t block = 0;
    Core cores[kUnits];
    LocalMemory local[kLocalMemories];
    AccessList accesses[kLocalMemories];
    std::vector<std::unique_ptr<GmTrack>> tensors;  // by index of the tensor; null while untouched
    Findings findings;
    SyncLog sync;
    Unwritten unwritten;
    uint64_t order = 0;         // of the replay
    bool meets_blocks = false;  // it has issued a synchronisation between blocks
    uint32_t releases = 0;      // so many late operations it may run all the same
    bool stuck = false;         // deadlocked
    bool stopped = false;       // a core ended early after a finding
    bool skipped = false;       // an instruction was out of bounds and not executed
    BlockTrace trace;
    std::vector<Touch> touched;  // by the vector function that ran last; while tracing

    void begin(Launch& of, uint32_t index);
    // Records and replays until the block is done or can do nothing on its own.
    Progress run();
    // Leaves the recorded state of the block behind, for the comparison of blocks; frees stacks.
    void end();

    void wake_all() {
        for (Core& core : cores) core.wake_all();
    }
    GmTrack& track(int tensor);
    std::string where(const Core& core) const;
    // A core has got the value that it waited for, and may issue more (only under an adversarial schedule).
    bool wants_to_record() const;

private:
    bool record();
    bool replay();
    bool finished() const;
    bool overrun() const;
    bool holds_back(int rank);

    bool holding_ = false;
    void start_core(int unit);
};

// replay/execute.cpp: a region with the memory that it lies in.
Touch touch_of(const Core& core, const Region& region);

// replay/step.cpp: executes the first instruction of a pipe; false when it has to wait.
bool step(Group& group, Core& core, Pipe pipe);

// verdict/deadlock.cpp: the block can never go on.
void report_deadlock(Group& group);
// A synchronisation of all blocks, of which not all can run at the same time.
void report_not_resident(Group& group, const Core& core, const Op& op);
// A synchronisation with AICs in a kernel that has none.
void report_no_aic(Group& group, const Core& core, const Op& op);
// verdict/leftovers.cpp: what must be balanced when a block has ended.
void report_leftovers(Group& group);
// Flags of mode 0 that were completed more often than taken; after the launch.
void report_flags_left(InterBlock& inter, const std::string& kernel, Findings& findings);

}  // namespace aicore::engine
