#include "hazard/gm_log.h"

namespace aicore::engine {

// The later of two accesses of one pipe stands for both while the knowledge of other blocks, and theirs of this core,
// is the same: who then knows one of them to be complete knows both.
void GmLog::add(const Access& access, const Abroad* abroad, uint32_t told) {
    auto& log = access.write ? writes_ : reads_;
    if (!log.empty()) {
        GmEntry& last = log.back();
        bool alike = last.abroad == abroad && last.told == told && last.access.lane == access.lane &&
                     last.access.site == access.site && last.access.atomic == access.atomic;
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
    log.push_back({access, abroad, told});
}

}  // namespace aicore::engine
