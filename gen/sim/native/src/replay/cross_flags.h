// Flags between cores. Every core has counters; a set raises those of its partners, a wait takes one.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "replay/clock.h"

namespace aicore::engine {

// Ids 0..15; of mode 4 the AIC has 0..31 (id of AIV1 plus 16). Mode 4 has counters of its own.
inline constexpr int kCrossIds = 16;
inline constexpr int kIntraIds = 32;
inline constexpr int kMaxPending = 15;  // 4-bit counters

struct Arrival {
    Signal signal;
    uint32_t site = 0;
    int from_lane = 0;
};

struct CrossWait {
    int lane = 0;
    uint32_t seq = 0;
};

struct CrossCounter {
    std::deque<Arrival> pending;
    // Sets that wait for those of the other AIV (modes 1 and 2 need both).
    std::array<std::deque<Arrival>, 3> half;
    uint64_t sets = 0, waits = 0;
    std::deque<CrossWait> recent_waits;  // the last kMaxPending + 1

    // A flag does not say which set it was. Where sets come from several pipes of a core, or several pipes wait, any of
    // those that may have been made by then can have been the one: see what_is_certain() in between_cores.cpp.
    uint32_t set_lanes = 0, wait_lanes = 0;            // that have been recorded
    std::array<std::vector<Arrival>, kUnits> history;  // sets by core
    std::vector<CrossWait> all_waits;

    bool ambiguous() const {
        if (wait_lanes & (wait_lanes - 1)) return true;
        for (int unit = 0; unit < kUnits; ++unit) {
            uint32_t lanes = (set_lanes >> (unit * kLanesPerUnit)) & ((1u << kLanesPerUnit) - 1);
            if (lanes & (lanes - 1)) return true;
        }
        return false;
    }
};

class CrossFlags {
public:
    CrossCounter& at(int mode, int id) {
        auto& slot = slots_[slot_of(mode, id)];
        if (!slot) slot = std::make_unique<CrossCounter>();
        return *slot;
    }
    const CrossCounter* find(int mode, int id) const { return slots_[slot_of(mode, id)].get(); }
    // visit(mode 4 or 0, id, counter)
    template <class F>
    void each(F&& visit) const {
        for (size_t i = 0; i < slots_.size(); ++i) {
            if (slots_[i])
                visit(i < kCrossIds ? 0 : 4, static_cast<int>(i < kCrossIds ? i : i - kCrossIds), *slots_[i]);
        }
    }

private:
    static size_t slot_of(int mode, int id) { return static_cast<size_t>(mode == 4 ? kCrossIds + id : id); }
    std::array<std::unique_ptr<CrossCounter>, kCrossIds + kIntraIds> slots_;
};

}  // namespace aicore::engine
