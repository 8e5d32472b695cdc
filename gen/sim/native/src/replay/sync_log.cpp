#include "replay/sync_log.h"

#include <algorithm>

#include "launch/profile.h"
#include "replay/core.h"

namespace aicore::engine {

void SyncLog::issue(const Core& core, const Op& op) {
    SyncSite& s = at(op.site);
    ++s.issued;
    if (s.used) return;
    s.used = true;
    s.kind = op.kind;
    s.lane = core.lane_id(op.pipe);
    s.other = op.other;
    s.id = op.id;
    s.mode = op.mode;
}

void SyncLog::link(uint32_t wait, uint32_t set) {
    auto& partners = at(wait).partners;
    if (std::find(partners.begin(), partners.end(), set) == partners.end()) partners.push_back(set);
}

void SyncLog::merge(const SyncLog& other) {
    for (uint32_t site = 0; site < other.sites_.size(); ++site) {
        const SyncSite& theirs = other.sites_[site];
        if (!theirs.used) continue;
        SyncSite& mine = at(site);
        if (!mine.used) {
            mine = theirs;
            continue;
        }
        mine.issued += theirs.issued;
        mine.taught += theirs.taught;
        mine.last |= theirs.last;
        for (uint32_t set : theirs.partners) link(site, set);
    }
}

Lesson::Lesson(const Core& core, const Op& op) : lane_(core.lane_id(op.pipe)) {
    const Knowledge& know = core.lanes[static_cast<int>(op.pipe)].know;
    before_ = know.clock;
    abroad_ = know.abroad;
}

// What V knows of itself is nothing new where vector instructions are in order anyway, and that the scalar unit went on
// is no knowledge.
bool Lesson::learnt(const Core& core) const {
    const Knowledge& know = core.lanes[static_cast<int>(pipe_of_lane(lane_))].know;
    if (know.abroad != abroad_) return true;
    bool in_order = pipe_of_lane(lane_) == Pipe::v && profile().vector_in_order();
    for (int i = 0; i < kLanes; ++i) {
        if (i % kLanesPerUnit == kIssue || (in_order && i == lane_)) continue;
        if (know.clock.at[i] != before_.at[i]) return true;
    }
    return false;
}

}  // namespace aicore::engine
