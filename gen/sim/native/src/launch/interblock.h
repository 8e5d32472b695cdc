// Synchronisation between blocks: SyncAll, cross-core flags of mode 0, and signals by words of global memory.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "memory/gm.h"
#include "replay/clock.h"
#include "replay/core.h"

namespace aicore::engine {

// A word of global memory by which cores synchronise has a block of 32 bytes for itself.
inline constexpr uint64_t kWordBytes = 32;

class InterBlock {
public:
    void reset(uint32_t blocks, const bool (&units)[kUnits]);

    // Counts the core in for its `round`-th SyncAll of this kind; true when it was the last of all.
    bool arrive_sync(const Core& core, const Op& sync, uint32_t round, const Signal& signal);
    // Counts a set of mode 0 by this core; true when it completes a round.
    bool arrive_flag(const Core& core, int id, const Signal& signal);
    // The completed round, or null: the core has to wait.
    const Signal* sync_done(const Op& sync, uint32_t round);
    const Signal* flag_done(const Core& core, int id, uint32_t round);

    void take_flag(const Core& core, int id);

    // The core is the one that signals by the word, or that waits for it; false when another one is already.
    bool claim_word(const Core& core, uint64_t word, bool signals);
    // True when the signal is made. One that must find the last one taken learns what `taken` knows.
    bool signal_word(const Core& core, const Op& op, const Signal& signal, const Signal*& taken);
    // The signal that the wait takes, or null.
    const Signal* take_word(const Core& core, const Op& op, const Signal& waiter);
    // Flags that some core could still have waited for: kind, id, how many rounds.
    struct Left {
        CoreKind kind;
        int id;
        uint64_t rounds;
    };
    std::vector<Left> flags_left();

    // Joins knowledge of other blocks; returns the joined one, which lives as long as the launch.
    const Abroad* join(const Abroad* a, const Abroad* b);

    // Bytes by which cores synchronise: that several write there is no race.
    void share(uint64_t lo, uint64_t hi);
    bool shared(uint64_t lo, uint64_t hi);

    // Counts completed rounds: tells a waiting block whether something happened since it looked.
    uint64_t version();
    bool used();
    // What is missing for the core, for the message of a deadlock: how many of how many cores have come.
    void missing_sync(const Op& sync, uint32_t round, uint32_t& came, uint32_t& of);

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
    struct Word {
        uint64_t signaller = 0, waiter = 0;  // cores; 0: none yet
        std::deque<Signal> signals;          // all that were made
        size_t taken = 0;
        Signal last_taken;
    };
    struct FlagKey {
        CoreKind kind;
        int id;
        auto operator<=>(const FlagKey&) const = default;
    };

    bool arrive(Barrier& barrier, uint32_t round, uint32_t cores, const Core& core, const Signal& signal);
    const Signal* done(Barrier& barrier, uint32_t round);
    const Abroad* join_locked(const Abroad* a, const Abroad* b);
    // What the signal tells a core of any block.
    Signal abroad(const Core& core, const Signal& signal);
    uint32_t cores_of(const Op& sync) const;
    uint32_t cores_of(CoreKind kind) const { return kind == CoreKind::aic ? aics_ : aivs_; }

    std::mutex mutex_;
    uint32_t blocks_ = 0, aics_ = 0, aivs_ = 0;
    uint64_t version_ = 0;
    bool used_ = false;
    std::map<SyncKey, Barrier> sync_;
    std::map<uint64_t, Word> words_;
    RangeSet shared_;
    std::map<FlagKey, Barrier> flags_;
    std::map<std::pair<FlagKey, std::pair<uint32_t, int>>, uint32_t> flag_sets_;  // by core: sets so far
    std::vector<std::unique_ptr<Abroad>> owned_;
    std::map<std::pair<const Abroad*, const Abroad*>, const Abroad*> joined_;
};

// True when the operation can only be freed by another block.
bool waits_for_blocks(const Op& op);

}  // namespace aicore::engine
