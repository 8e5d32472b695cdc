#include "hazard/access.h"

#include <algorithm>
#include <bit>

namespace aicore::engine {

int AccessSet::level_of(const Strided& where) { return std::bit_width(where.hi - where.lo - 1); }

void AccessSet::file(uint32_t slot) {
    const Strided& where = slots_[slot].where;
    int n = level_of(where);
    Level& level = levels_[static_cast<size_t>(n)];
    level.bins[where.lo >> n].push_back(slot);
    ++level.count;
    used_levels_ |= uint64_t{1} << n;
}

void AccessSet::add(const Access& access) {
    uint32_t slot;
    if (free_.empty()) {
        slot = static_cast<uint32_t>(slots_.size());
        slots_.push_back(access);
    } else {
        slot = free_.back();
        free_.pop_back();
        slots_[slot] = access;
    }
    if (!levels_.empty()) return file(slot);
    if (slots_.size() <= kFew) return;
    levels_.resize(kLevels);
    for (uint32_t i = 0; i < slots_.size(); ++i) file(i);
}

void AccessSet::remove(uint32_t slot) {
    if (levels_.empty()) {
        slots_[slot] = slots_.back();
        slots_.pop_back();
        return;
    }
    const Strided& where = slots_[slot].where;
    int n = level_of(where);
    Level& level = levels_[static_cast<size_t>(n)];
    auto bin = level.bins.find(where.lo >> n);
    std::erase(bin->second, slot);
    if (bin->second.empty()) level.bins.erase(bin);
    if (--level.count == 0) used_levels_ &= ~(uint64_t{1} << n);
    free_.push_back(slot);
}

void AccessSet::drop_covered(const Strided& where) {
    found_.clear();
    each_near(where, [&](uint32_t slot) {
        if (covers(where, slots_[slot].where)) found_.push_back(slot);
    });
    // From the last on: removing moves the last slot into the gap.
    if (levels_.empty()) std::sort(found_.begin(), found_.end());
    for (size_t i = found_.size(); i-- > 0;) remove(found_[i]);
}

bool AccessSet::replace(const Access& access) {
    bool done = false;
    auto look = [&](uint32_t slot) {
        Access& old = slots_[slot];
        if (done || old.lane != access.lane || old.order_class != access.order_class) return;
        if (!same(old.where, access.where)) return;
        old = access;
        done = true;
    };
    if (levels_.empty()) {
        for (uint32_t i = 0; i < slots_.size(); ++i) look(i);
        return done;
    }
    int n = level_of(access.where);
    const Level& level = levels_[static_cast<size_t>(n)];
    auto bin = level.bins.find(access.where.lo >> n);
    if (bin == level.bins.end()) return false;
    for (uint32_t slot : bin->second) look(slot);
    return done;
}

void AccessSet::clear() {
    slots_.clear();
    free_.clear();
    levels_.clear();
    used_levels_ = 0;
}

void AccessList::insert(const Access& access) {
    if (access.write) {
        writes_.drop_covered(access.where);
        reads_.drop_covered(access.where);
        writes_.add(access);
    } else if (!reads_.replace(access)) {
        reads_.add(access);
    }
}

void AccessList::clear() {
    writes_.clear();
    reads_.clear();
}

}  // namespace aicore::engine
