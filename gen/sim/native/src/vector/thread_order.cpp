#include "vector/thread_order.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include "aicore/core.h"

namespace aicore::engine {

namespace {

constexpr uint32_t kWatchedRuns = 2;
constexpr size_t kMostOverwrites = 256;
constexpr size_t kMostGlobal = size_t{1} << 18;  // pairs of bytes in one run

}  // namespace

ThreadOrder::ThreadOrder(size_t bytes)
    : marks_(static_cast<Marks*>(std::calloc(bytes / 2, sizeof(Marks)))), pairs_(bytes / 2) {
    if (!marks_) throw std::bad_alloc();
}

// Code lies within 2 GB: the first place seen is in the middle of what 32 bits reach.
uint32_t ThreadOrder::distance(uintptr_t pc) {
    if (pc_base_ == 0) pc_base_ = pc - (uintptr_t{1} << 31);
    return static_cast<uint32_t>(pc - pc_base_);
}

bool ThreadOrder::wants(void (*function)(const void*)) const {
    auto at = seen_.find(function);
    return at == seen_.end() || at->second.shared || at->second.runs < kWatchedRuns;
}

void ThreadOrder::begin(const uint8_t* ub) {
    ub_ = ub;
    if (stretch_ > kStretches / 2) {
        std::memset(static_cast<void*>(marks_.get()), 0, pairs_ * sizeof(Marks));
        stretch_ = 0;
    }
    global_.clear();
    first_stretch_ = ++stretch_;
    shared_ = false;
}

void ThreadOrder::barrier() {
    settle_overwrites();
    if (++stretch_ == kStretches) unsupported("half a million barriers in one vector function");
}

void ThreadOrder::meet(Marks& pair, Race& now) {
    Mark &w = pair.written, &r = pair.read;
    const uint32_t me = now.second % kThreads, pc = distance(now.second_pc);
    auto other = [&](const Mark& m) { return m.many || m.thread != me; };
    shared_ |= w.stretch >= first_stretch_ && other(w);
    if (now.second_writes) {
        shared_ |= r.stretch >= first_stretch_ && other(r);
        const Mark before = w;
        bool again = w.stretch == stretch_ && other(w);
        w = {stretch_, me, again, pc};
        if (r.stretch == stretch_ && other(r)) return race(r, false, now);
        if (again) race(before, true, now);
        return;
    }
    if (r.stretch == stretch_) {
        r.many |= r.thread != me;
    } else {
        r = {stretch_, me, false, pc};
    }
    if (w.stretch == stretch_ && !w.many && other(w)) race(w, true, now);
}

void ThreadOrder::touch(uint64_t lo, uint64_t hi, bool write, uint32_t thread, uintptr_t pc) {
    Race now;
    now.second_writes = write, now.at = lo, now.lo = lo, now.hi = hi, now.second = thread, now.second_pc = pc;
    now.place = ub_ + lo;
    for (uint64_t pair = (lo + 1) / 2, end = std::min<uint64_t>(hi / 2, pairs_); pair < end; ++pair) {
        meet(marks_[pair], now);
    }
}

void ThreadOrder::touch_global(uint64_t lo, uint64_t hi, bool write, uint32_t thread, uintptr_t pc) {
    if (global_.size() >= kMostGlobal) return;
    Race now;
    now.second_writes = write, now.at = lo, now.lo = lo, now.hi = hi, now.second = thread, now.second_pc = pc;
    now.place = reinterpret_cast<const uint8_t*>(lo);
    now.global = true;
    for (uint64_t pair = (lo + 1) / 2; pair < hi / 2; ++pair) meet(global_[pair], now);
}

void ThreadOrder::race(const Mark& first, bool first_writes, Race& second) {
    if (second.told) return;
    second.told = true;
    Race race = second;
    race.first_writes = first_writes;
    race.first = first.thread;
    race.first_pc = pc_base_ + first.pc;
    if (first_writes && second.second_writes) {
        if (overwrites_.size() < kMostOverwrites)
            overwrites_.push_back({race, {race.place, race.place + (race.hi - race.lo)}});
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
        if (std::memcmp(o.race.place, o.before.data(), o.before.size()) == 0) continue;
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
