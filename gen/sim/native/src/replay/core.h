// One core of a block: the recording side (its kernel function on a fiber) and the replaying side (its pipes).
#pragma once

#include <cstdint>
#include <deque>
#include <map>

#include "aicore/core.h"
#include "record/accumulators.h"
#include "record/data_cache.h"
#include "record/fiber.h"
#include "record/recording.h"
#include "record/unit_flags.h"
#include "replay/clock.h"
#include "replay/cross_flags.h"
#include "replay/flags.h"
#include "replay/lane.h"
#include "replay/mutexes.h"
#include "verdict/counts.h"

namespace aicore::engine {

struct Group;

enum class FiberState : uint8_t { absent, ready, needs_value, finished, stopped };

// Which SyncAll: that of all cores, of the AIVs, or of those that use the words at an address.
struct SyncKey {
    bool only_aiv = false;
    uint64_t words = 0;
    auto operator<=>(const SyncKey&) const = default;
};
inline SyncKey key_of(const Op& sync) { return {sync.blocking, sync.value}; }

// What the scalar unit knew, and when, after it had been stopped `n` times.
struct Epoch {
    Knowledge know;
    uint64_t time = 0;
};

struct Core {
    CoreInfo info{};
    Group* group = nullptr;
    int unit = 0;

    // Recording.
    Fiber fiber;
    uint8_t* stack = nullptr;
    FiberState state = FiberState::absent;
    Recording recording;
    uint64_t next_index = 0;
    uint32_t epochs_issued = 0;
    uint32_t issued_in_epoch = 0;
    uint32_t since_yield = 0;
    uint32_t last_site = 0;
    uint32_t mark = UINT32_MAX;  // the site that it stands at, where the program says so (kNoSite: it does not)
    uint32_t last_sync = 0;      // the last synchronisation: its site and its place in the program
    uint64_t last_sync_index = UINT64_MAX;
    uint64_t value = 0;  // of the last scalar read
    std::array<uint32_t, kLanesPerUnit> locks_held{};
    Accumulators accumulators;
    UnitFlags unit_flags;
    DataCache data_cache;
    bool told_elsewhere = false;  // that the kernel lacks the other kind of core
    alignas(64) unsigned char face[kFaceStateBytes] = {};

    // Replay.
    Lane lanes[kPipes];
    uint8_t pending = 0;  // pipes with recorded instructions
    uint8_t blocked = 0;  // pipes whose next instruction was found to wait
    uint8_t soft = 0;     // of those, the ones that any progress of this core may free
    std::deque<Epoch> epochs;
    uint32_t first_epoch = 0;
    uint32_t epochs_done = 0;
    std::map<SyncKey, uint32_t> sync_rounds;        // SyncAlls that it has passed
    std::array<uint32_t, kCrossIds> mode0_waits{};  // completions of mode 0 that this core has taken
    uint32_t told = 0;                              // signals to other blocks
    Flags flags;
    Mutexes mutexes;
    CrossFlags cross;
    bool shares_cross_waits = false;  // several of its pipes wait for one flag
    Counts counts;
    uint64_t executed = 0;  // of next_index
    uint64_t finish = 0;    // modelled cycle at which its last instruction ended

    bool present() const { return state != FiberState::absent; }
    bool idle() const { return pending == 0; }
    Lane& lane(Pipe pipe) { return lanes[static_cast<int>(pipe)]; }
    int lane_id(Pipe pipe) const { return lane_of(unit, pipe); }
    void wake(Pipe pipe) { blocked &= static_cast<uint8_t>(~(1u << static_cast<unsigned>(pipe))); }
    void wake_all() { blocked = soft = 0; }

    void reset(Group* owner, int which);
    // Queues a recorded operation behind those of its pipe.
    void push(Op* op);
    // True for operations that the scalar unit waits for before it issues anything else.
    bool stops_scalar(const Op& op) const;
};

}  // namespace aicore::engine
