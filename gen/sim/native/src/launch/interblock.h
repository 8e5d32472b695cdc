// Synchronisation between blocks: SyncAll and cross-core flags of mode 0.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "replay/clock.h"
#include "replay/core.h"

namespace aicore::engine {

class InterBlock {
public:
    void reset(uint32_t blocks, const bool (&units)[kUnits]);

    // Counts the core in for its `round`-th SyncAll; true when it was the last of all.
    bool arrive_sync(const Core& core, bool only_aiv, uint32_t round, const Signal& signal);
    // Counts a set of mode 0 by this core; true when it completes a round.
    bool arrive_flag(const Core& core, int id, const Signal& signal);
    // The completed round, or null: the core has to wait.
    const Signal* sync_done(const Core& core, bool only_aiv, uint32_t round);
    const Signal* flag_done(const Core& core, int id, uint32_t round);

    void take_flag(const Core& core, int id);
    // Flags that some core could still have waited for: kind, id, how many rounds.
    struct Left {
        CoreKind kind;
        int id;
        uint64_t rounds;
    };
    std::vector<Left> flags_left();

    // Joins knowledge of other blocks; returns the joined one, which lives as long as the launch.
    const Abroad* join(const Abroad* a, const Abroad* b);

    // Counts completed rounds: tells a waiting block whether something happened since it looked.
    uint64_t version();
    bool used();
    // What is missing for the core, for the message of a deadlock: how many of how many cores have come.
    void missing_sync(bool only_aiv, uint32_t round, uint32_t& came, uint32_t& of);

private:
    struct Round {
        uint32_t came = 0;
        std::vector<Clock> blocks;
        const Abroad* abroad = nullptr;
        uint64_t time = 0;
        std::unique_ptr<Signal> done;
    };
    struct Barrier {
        std::deque<Round> rounds;
        uint64_t completed = 0, taken = 0;  // by all cores together
    };
    struct FlagKey {
        CoreKind kind;
        int id;
        auto operator<=>(const FlagKey&) const = default;
    };

    bool arrive(Barrier& barrier, uint32_t round, uint32_t cores, const Core& core, const Signal& signal);
    const Signal* done(Barrier& barrier, uint32_t round);
    const Abroad* join_locked(const Abroad* a, const Abroad* b);
    uint32_t cores_of(CoreKind kind) const { return kind == CoreKind::aic ? aics_ : aivs_; }

    std::mutex mutex_;
    uint32_t blocks_ = 0, aics_ = 0, aivs_ = 0;
    uint64_t version_ = 0;
    bool used_ = false;
    Barrier sync_[2];
    std::map<FlagKey, Barrier> flags_;
    std::map<std::pair<FlagKey, std::pair<uint32_t, int>>, uint32_t> flag_sets_;  // by core: sets so far
    std::vector<std::unique_ptr<Abroad>> owned_;
    std::map<std::pair<const Abroad*, const Abroad*>, const Abroad*> joined_;
};

// True when the operation can only be freed by another block.
bool waits_for_blocks(const Op& op);

}  // namespace aicore::engine
