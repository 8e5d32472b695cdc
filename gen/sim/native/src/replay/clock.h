// Vector clocks: for every pipe of the cores of one block, how many of its instructions are known to be complete.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "aicore/core.h"

namespace aicore::engine {

inline constexpr int kUnits = 3;  // AIC, AIV0, AIV1
inline constexpr int kLanesPerUnit = 8;
inline constexpr int kLanes = kUnits * kLanesPerUnit;
// Beside its seven pipes a core has a lane that counts how often its scalar unit has been stopped (and gone on): what
// is issued later knows that, without knowing that the scalar unit's own stores are complete.
inline constexpr int kIssue = 7;

constexpr int lane_of(int unit, Pipe pipe) { return unit * kLanesPerUnit + static_cast<int>(pipe); }
constexpr int issue_lane(int unit) { return unit * kLanesPerUnit + kIssue; }
constexpr int unit_of_lane(int lane) { return lane / kLanesPerUnit; }
constexpr Pipe pipe_of_lane(int lane) { return static_cast<Pipe>(lane % kLanesPerUnit); }

struct alignas(32) Clock {
    uint32_t at[kLanes] = {};

    // True when this changed.
    bool merge(const Clock& other) {
        uint32_t changed = 0;
        for (int i = 0; i < kLanes; ++i) {
            uint32_t joined = std::max(at[i], other.at[i]);
            changed |= joined ^ at[i];
            at[i] = joined;
        }
        return changed != 0;
    }
    bool raise(int lane, uint32_t count) {
        if (at[lane] >= count) return false;
        at[lane] = count;
        return true;
    }
};

// What is known of the other blocks of the launch; exists only once blocks synchronise. Owned by the launch.
struct Abroad {
    std::vector<Clock> blocks;
};

struct Knowledge {
    Clock clock;
    const Abroad* abroad = nullptr;
};

// Carried by an event flag: what its wait comes to know, and when (modelled cycles).
struct Signal {
    Knowledge knowledge;
    uint64_t time = 0;
};

}  // namespace aicore::engine
