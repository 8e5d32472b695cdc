// Who touched which bytes of a memory last.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "hazard/strided.h"

namespace aicore::engine {

struct Access {
    Strided where;
    uint64_t order = 0;  // of the replay; parts of one instruction share it
    uint64_t index = 0;  // program order on its core
    const char* name = "";
    uint32_t seq = 0;  // position in its lane
    uint32_t site = 0;
    uint32_t snapshot = 0;  // what its lane knew
    uint16_t taint = 0;     // a write: the read of unwritten bytes that it depends on (hazard/unwritten.h), or 0
    uint8_t lane = 0;
    uint8_t order_class = 0;
    uint8_t unit_flag = 0;
    bool write = false;
    bool atomic = false;
    bool junk = false;  // what is written means nothing
};

// Accesses, found by the bytes that they touch. A few are simply searched through; many are kept in bins: an access of
// up to 2^n bytes lies in at most two neighbouring bins of that size, and is filed under the first.
class AccessSet {
public:
    // Calls visit(access) for each one that shares bytes with `where`.
    template <class F>
    void each_touching(const Strided& where, F&& visit) const {
        each_near(where, [&](uint32_t slot) {
            const Access& a = slots_[slot];
            if (overlaps(a.where, where)) visit(a);
        });
    }
    void add(const Access& access);
    // Forgets the accesses that lie in `where`.
    void drop_covered(const Strided& where);
    // Replaces an access of the same pipe to the same bytes; false when there is none.
    bool replace(const Access& access);
    void clear();

private:
    static constexpr size_t kFew = 24;
    static constexpr int kLevels = 64;
    using Bins = std::unordered_map<uint64_t, std::vector<uint32_t>>;

    struct Level {
        Bins bins;
        size_t count = 0;
    };

    static int level_of(const Strided& where);
    void file(uint32_t slot);
    void remove(uint32_t slot);

    // Every access whose bounding box meets that of `where`.
    template <class F>
    void each_near(const Strided& where, F&& visit) const;
    template <class F>
    void each_in_level(int n, const Strided& where, F&& visit) const;

    std::vector<Access> slots_;
    std::vector<uint32_t> free_;  // unused slots; only with bins
    std::vector<Level> levels_;   // empty while there are few accesses
    uint64_t used_levels_ = 0;    // bit n: levels_[n] holds something
    std::vector<uint32_t> found_;
};

template <class F>
void AccessSet::each_in_level(int n, const Strided& where, F&& visit) const {
    const Level& level = levels_[static_cast<size_t>(n)];
    auto look = [&](const std::vector<uint32_t>& bin) {
        for (uint32_t slot : bin) {
            const Strided& s = slots_[slot].where;
            if (s.lo < where.hi && where.lo < s.hi) visit(slot);
        }
    };
    uint64_t first = where.lo >> n, last = (where.hi - 1) >> n;
    if (first > 0) --first;
    if (last - first >= level.bins.size()) {
        for (const auto& [bin, slots] : level.bins) look(slots);
        return;
    }
    for (uint64_t bin = first; bin <= last; ++bin) {
        auto at = level.bins.find(bin);
        if (at != level.bins.end()) look(at->second);
    }
}

template <class F>
void AccessSet::each_near(const Strided& where, F&& visit) const {
    if (levels_.empty()) {
        for (uint32_t i = 0; i < slots_.size(); ++i) {
            const Strided& s = slots_[i].where;
            if (s.lo < where.hi && where.lo < s.hi) visit(i);
        }
        return;
    }
    for (uint64_t rest = used_levels_; rest; rest &= rest - 1) each_in_level(__builtin_ctzll(rest), where, visit);
}

// The accesses to one memory that a later one may still be in conflict with.
class AccessList {
public:
    // Calls visit(access) for each stored access that a new one may be in conflict with: a read only with writes.
    template <class F>
    void each_touching(const Strided& where, bool write, F&& visit) const {
        writes_.each_touching(where, visit);
        if (write) reads_.each_touching(where, visit);
    }
    template <class F>
    void each_write_touching(const Strided& where, F&& visit) const {
        writes_.each_touching(where, visit);
    }
    // `access` is ordered after all that it touches: a write replaces what it covers, a read the older one of its pipe.
    void insert(const Access& access);
    void clear();

private:
    AccessSet writes_, reads_;
};

}  // namespace aicore::engine
