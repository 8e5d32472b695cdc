#include "record/data_cache.h"

#include "hazard/strided.h"
#include "launch/launch.h"
#include "memory/gm.h"
#include "replay/group.h"
#include "verdict/words.h"

namespace aicore::engine {

void DataCache::clean(uint64_t at) {
    const uint64_t end = at / kCacheLine * kCacheLine + kCacheLine;
    dirty_.erase(dirty_.lower_bound(at), dirty_.lower_bound(end));
}

void DataCache::check(Core& core, const Op& op) {
    for (int i = 0; i < op.region_count; ++i) {
        const Region& r = op.regions[i];
        if (r.space != Space::gm || r.write || r.most || r.empty()) continue;
        const Strided read = strided(r);
        for (auto at = dirty_.lower_bound(read.lo); at != dirty_.end() && at->first < read.hi; ++at) {
            if (!overlaps(read, interval(at->first, at->second.end))) continue;
            Group& group = *core.group;
            const std::string edge = edge_word(core.lane_id(Pipe::s), core.lane_id(op.pipe));
            if (group.findings.known("race-raw", edge, at->second.site, op.site)) return;
            const int tensor = gm().find(at->first);
            const uint64_t base = tensor < 0 ? 0 : gm()[tensor].base;
            Finding f;
            f.code = "race-raw";
            f.edge = edge;
            f.space = "GM";
            f.lo = at->first - base;
            f.hi = at->second.end - base;
            f.message = text("%s reads %s of %s, which the scalar unit has written into its data cache only", op.name,
                             bytes_word(f.lo, f.hi).c_str(),
                             tensor < 0 ? "global memory" : group.launch->tensor_name(tensor).c_str());
            f.remedy.text = "write DataCacheCleanAndInvalid() for what SetValue() stored, in front of the copy";
            f.core = group.where(core);
            f.first = {"SetValue", word(Pipe::s), at->second.site};
            f.second = {op.name, word(op.pipe), op.site};
            group.findings.add(std::move(f));
            return;
        }
    }
}

}  // namespace aicore::engine
