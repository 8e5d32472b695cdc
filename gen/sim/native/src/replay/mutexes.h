// Buffer mutexes of one core of dav-3510. A lock waits for all unlocks of its id that precede it in program order
// (asc-devkit, docs, C-API/sync/asc_lock): so every unlock gets an ordinal when it is recorded.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>

#include "replay/clock.h"

namespace aicore::engine {

inline constexpr int kMutexIds = 32;

// One unlock. `known`, `issued` and `time` are those of all unlocks up to this one, once they are done.
struct Unlock {
    bool done = false;
    uint32_t waiting = 0;  // recorded locks that wait for this and all before
    Knowledge known;
    std::array<uint32_t, kLanesPerUnit> issued{};  // per unlocking pipe; a pipe learns nothing from its own unlock
    uint64_t time = 0;
};

struct Mutex {
    std::deque<Unlock> unlocks;
    uint64_t first = 0;     // ordinal of unlocks.front(); ordinals start at 1
    uint64_t recorded = 0;  // ordinal of the last recorded unlock
    uint64_t done = 0;      // all unlocks up to this ordinal are executed
    bool locked = false;    // in program order
    Pipe holder = Pipe::s;
    uint32_t lock_site = 0;
    bool relocked = false;  // reported: an unlock is missing
};

class Mutexes {
public:
    Mutex& at(int id) {
        auto& slot = slots_[static_cast<size_t>(id)];
        if (!slot) slot = std::make_unique<Mutex>();
        return *slot;
    }
    const Mutex* find(int id) const { return slots_[static_cast<size_t>(id)].get(); }

private:
    std::array<std::unique_ptr<Mutex>, kMutexIds> slots_;
};

}  // namespace aicore::engine
