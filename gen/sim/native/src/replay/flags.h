// Event flags of one core: binary. A set may be executed before the last wait of its flag: the queues of AscendC reuse
// an id as soon as its wait is issued (asc-devkit, impl/basic_api/kernel_tquebind_impl.h), so only two sets without a
// wait between them in program order are a mistake, and which wait takes which set is settled by program order, when
// they are recorded. A wait may be issued before its set.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "record/op.h"
#include "replay/clock.h"

namespace aicore::engine {

inline constexpr int kFlagIds = 8;  // asc-devkit, docs, SetFlag-WaitFlag(ISASI): ids 0..7

// A set that was issued and that no wait has followed yet. Sets of a flag are numbered from 1.
struct OpenSet {
    uint64_t ordinal = 0;
    uint64_t index = 0;  // program order
    uint32_t site = 0;
    Pipe to = Pipe::s;
};

struct FlagWait {
    int lane = 0;
    uint32_t seq = 0;
};

// A set that was executed and that no wait has taken yet.
struct DoneSet {
    uint64_t ordinal = 0;
    Signal signal;
    uint32_t site = 0;
    Pipe to = Pipe::s;
};

struct Flag {
    // In program order.
    uint64_t sets = 0;
    std::deque<OpenSet> open;
    std::vector<OpenSet> lost;  // set again before a wait: taken only when nothing else is open
    std::deque<Op*> early;      // waits whose set is not issued yet
    OpenSet taken;              // by the last wait
    int64_t balance = 0;        // sets minus waits, the lowest that it came to, and the first wait of one too many
    int64_t lowest = 0;
    uint32_t short_site = 0;

    std::vector<DoneSet> done;

    // Under the strict identity several pipes may wait for one flag, and a wait may take an earlier set than the
    // program has for it: what it may rely on is the set that comes after as many as waits are over for sure.
    std::vector<Signal> history;   // of all executed sets, in order
    std::vector<FlagWait> waited;  // the executed waits

    // Numbers the set; returns the one that it overwrites, if it does.
    bool issue_set(Op& op, OpenSet& overwritten);
    void issue_wait(Op& op);
};

class Flags {
public:
    // `strict`: the hardware does not tell the destination pipes of one source and id apart.
    Flag& at(Pipe from, Pipe to, int id, bool strict) {
        auto& slot = slots_[key_of(from, strict ? Pipe::s : to, id)];
        if (!slot) slot = std::make_unique<Flag>();
        return *slot;
    }
    const Flag* find(Pipe from, Pipe to, int id, bool strict) const {
        return slots_[key_of(from, strict ? Pipe::s : to, id)].get();
    }
    // visit(from, id, flag)
    template <class F>
    void each(F&& visit) const {
        for (size_t key = 0; key < slots_.size(); ++key) {
            if (!slots_[key]) continue;
            visit(static_cast<Pipe>(key / kFlagIds / kPipes), static_cast<int>(key % kFlagIds), *slots_[key]);
        }
    }
    void clear() { slots_ = {}; }

private:
    static size_t key_of(Pipe from, Pipe to, int id) {
        return (static_cast<size_t>(from) * kPipes + static_cast<size_t>(to)) * kFlagIds + static_cast<size_t>(id);
    }
    std::array<std::unique_ptr<Flag>, kPipes * kPipes * kFlagIds> slots_;
};

}  // namespace aicore::engine
