// Event flags of one core: binary, a wait takes the oldest set. A set may be executed before the last wait of its flag:
// the queues of AscendC reuse an id as soon as its wait is issued (asc-devkit, impl/basic_api/kernel_tquebind_impl.h),
// so only two sets without a wait between them in program order are a mistake.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "replay/clock.h"

namespace aicore::engine {

inline constexpr int kFlagIds = 8;  // asc-devkit, docs, SetFlag-WaitFlag(ISASI): ids 0..7

struct PendingSet {
    Signal signal;
    uint32_t site = 0;
    Pipe to = Pipe::s;
};

struct Flag {
    std::deque<PendingSet> sets;  // executed, and not yet taken by a wait
    // In program order: a set that no wait has followed yet.
    bool open = false;
    uint32_t open_site = 0;
};

class Flags {
public:
    // `strict`: the hardware does not tell the destination pipes of one source and id apart.
    Flag& at(Pipe from, Pipe to, int id, bool strict) {
        auto key = (static_cast<unsigned>(from) * kPipes + (strict ? 0 : static_cast<unsigned>(to))) * kFlagIds +
                   static_cast<unsigned>(id);
        auto& slot = slots_[key];
        if (!slot) slot = std::make_unique<Flag>();
        return *slot;
    }
    template <class F>
    void each_left(F&& visit) const {
        for (size_t key = 0; key < slots_.size(); ++key) {
            if (!slots_[key]) continue;
            for (const PendingSet& set : slots_[key]->sets) {
                visit(static_cast<Pipe>(key / kFlagIds / kPipes), static_cast<int>(key % kFlagIds), set);
            }
        }
    }
    void clear() { slots_ = {}; }

private:
    std::array<std::unique_ptr<Flag>, kPipes * kPipes * kFlagIds> slots_;
};

}  // namespace aicore::engine
