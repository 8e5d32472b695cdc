#include "hazard/gm_log.h"

namespace aicore::engine {

// The later of two equal accesses of one pipe stands for both while the knowledge of other blocks is the same: who
// knows the later one to be complete knows the earlier one too.
void GmLog::add(const Access& access, const Abroad* abroad) {
    auto& log = access.write ? writes_ : reads_;
    if (!log.empty()) {
        GmEntry& last = log.back();
        bool alike = last.abroad == abroad && last.access.lane == access.lane && last.access.site == access.site &&
                     last.access.atomic == access.atomic;
        if (alike && same(last.access.where, access.where)) {
            last.access = access;
            return;
        }
        if (alike && last.access.where.contiguous() && access.where.contiguous() &&
            last.access.where.hi == access.where.lo) {
            Strided joined = interval(last.access.where.lo, access.where.hi);
            last.access = access;
            last.access.where = joined;
            return;
        }
    }
    log.push_back({access, abroad});
}

}  // namespace aicore::engine
