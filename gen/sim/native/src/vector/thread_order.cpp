#include "vector/thread_order.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace aicore::engine {

namespace {

constexpr uint32_t kWatchedRuns = 2;
constexpr size_t kMostOverwrites = 256;

}  // namespace

ThreadOrder::ThreadOrder(size_t bytes)
    : written_(new Mark[bytes / 2]()), read_(new Mark[bytes / 2]()), pairs_(bytes / 2) {}

bool ThreadOrder::wants(void (*function)(const void*)) const {
    auto at = seen_.find(function);
    return at == seen_.end() || at->second.shared || at->second.runs < kWatchedRuns;
}

void ThreadOrder::begin(const uint8_t* ub) {
    ub_ = ub;
    if (stretch_ > UINT32_MAX / 2) {
        std::fill_n(written_.get(), pairs_, Mark{});
        std::fill_n(read_.get(), pairs_, Mark{});
        stretch_ = 0;
    }
    first_stretch_ = ++stretch_;
    shared_ = false;
}

void ThreadOrder::barrier() {
    settle_overwrites();
    ++stretch_;
}

void ThreadOrder::touch(uint64_t lo, uint64_t hi, bool write, uint32_t thread, uintptr_t pc) {
    const auto me = static_cast<uint16_t>(thread);
    Race now;
    now.second_writes = write, now.at = lo, now.lo = lo, now.hi = hi, now.second = thread, now.second_pc = pc;
    bool told = false;
    for (uint64_t pair = (lo + 1) / 2, end = std::min<uint64_t>(hi / 2, pairs_); pair < end; ++pair) {
        Mark& w = written_[pair];
        Mark& r = read_[pair];
        auto other = [&](const Mark& m) { return m.many || m.thread != me; };
        shared_ |= w.stretch >= first_stretch_ && other(w);
        if (write) {
            shared_ |= r.stretch >= first_stretch_ && other(r);
            if (r.stretch == stretch_ && other(r) && !told) race(r, false, now), told = true;
            bool again = w.stretch == stretch_ && other(w);
            if (again && !told) race(w, true, now), told = true;
            w = {stretch_, me, again, pc};
        } else {
            if (w.stretch == stretch_ && !w.many && other(w) && !told) race(w, true, now), told = true;
            if (r.stretch == stretch_) {
                r.many |= r.thread != me;
            } else {
                r = {stretch_, me, false, pc};
            }
        }
    }
}

void ThreadOrder::race(const Mark& first, bool first_writes, const Race& second) {
    Race race = second;
    race.first_writes = first_writes;
    race.first = first.thread;
    race.first_pc = first.pc;
    if (first_writes && second.second_writes) {
        if (overwrites_.size() < kMostOverwrites) overwrites_.push_back({race, {ub_ + race.lo, ub_ + race.hi}});
        return;
    }
    for (Race& known : races_) {
        bool same = known.first_pc == race.first_pc && known.second_pc == race.second_pc;
        if (!same || known.first_writes != first_writes) continue;
        known.lo = std::min(known.lo, race.lo), known.hi = std::max(known.hi, race.hi);
        return void(++known.count);
    }
    races_.push_back(race);
}

void ThreadOrder::settle_overwrites() {
    for (const Overwrite& o : overwrites_) {
        if (std::memcmp(ub_ + o.race.lo, o.before.data(), o.before.size()) == 0) continue;
        auto known = std::find_if(races_.begin(), races_.end(), [&](const Race& r) {
            return r.first_writes && r.second_writes && r.first_pc == o.race.first_pc &&
                   r.second_pc == o.race.second_pc;
        });
        known == races_.end() ? races_.push_back(o.race) : void(++known->count);
    }
    overwrites_.clear();
}

std::vector<ThreadOrder::Race> ThreadOrder::end(void (*function)(const void*)) {
    settle_overwrites();
    Seen& seen = seen_[function];
    ++seen.runs;
    seen.shared |= shared_;
    return std::exchange(races_, {});
}

}  // namespace aicore::engine
