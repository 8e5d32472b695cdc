// Who touched which bytes of a memory last.
#pragma once

#include <cstdint>
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
    uint8_t lane = 0;
    uint8_t order_class = 0;
    uint8_t unit_flag = 0;
    bool write = false;
    bool atomic = false;
};

// The accesses to one memory that a later one may still be in conflict with.
class AccessList {
public:
    // Calls `visit` for each stored access that shares bytes with `where`; a read only conflicts with writes.
    template <class F>
    void each_touching(const Strided& where, bool write, F&& visit) const {
        scan(writes_, where, visit);
        if (write) scan(reads_, where, visit);
    }
    // `access` is ordered after all that it touches: a write replaces what it covers, a read the older one of its pipe.
    void insert(const Access& access);
    void clear() {
        writes_.clear();
        reads_.clear();
    }

private:
    template <class F>
    static void scan(const std::vector<Access>& list, const Strided& where, F&& visit) {
        for (const Access& a : list) {
            if (a.where.lo < where.hi && where.lo < a.where.hi && overlaps(a.where, where)) visit(a);
        }
    }
    std::vector<Access> writes_, reads_;
};

}  // namespace aicore::engine
