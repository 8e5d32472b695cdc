#include "hazard/access.h"

#include <algorithm>

namespace aicore::engine {

void AccessList::insert(const Access& access) {
    if (access.write) {
        auto covered = [&](const Access& a) { return covers(access.where, a.where); };
        std::erase_if(writes_, covered);
        std::erase_if(reads_, covered);
        writes_.push_back(access);
        return;
    }
    for (Access& a : reads_) {
        if (a.lane == access.lane && same(a.where, access.where)) {
            a = access;
            return;
        }
    }
    reads_.push_back(access);
}

}  // namespace aicore::engine
