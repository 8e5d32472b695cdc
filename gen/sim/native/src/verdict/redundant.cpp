#include "verdict/redundant.h"

#include <cinttypes>
#include <map>
#include <numeric>

#include "record/site.h"
#include "verdict/words.h"

namespace aicore::engine {

namespace {

bool is_barrier(const SyncSite& s) { return s.kind == OpKind::pipe_barrier || s.kind == OpKind::barrier_all; }

const char* call_word(OpKind kind) {
    switch (kind) {
        case OpKind::set_flag:
            return "SetFlag";
        case OpKind::wait_flag:
            return "WaitFlag";
        case OpKind::cross_set:
            return "CrossCoreSetFlag";
        case OpKind::cross_wait:
            return "CrossCoreWaitFlag";
        case OpKind::sync_all:
            return "SyncAll";
        case OpKind::word_signal:
            return "IBSet";
        case OpKind::word_wait:
            return "IBWait";
        default:
            return "PipeBarrier";
    }
}

Place place_of(const SyncSite& s, uint32_t site) { return {call_word(s.kind), word(pipe_of_lane(s.lane)), site}; }

// Sites that hang together by the sets that their waits took: the smallest of them stands for all.
std::vector<uint32_t> components(const std::vector<SyncSite>& sites) {
    std::vector<uint32_t> root(sites.size());
    std::iota(root.begin(), root.end(), 0u);
    auto find = [&](uint32_t s) {
        while (root[s] != s) s = root[s] = root[root[s]];
        return s;
    };
    for (uint32_t site = 0; site < sites.size(); ++site) {
        for (uint32_t set : sites[site].partners) {
            uint32_t a = find(site), b = find(set);
            root[std::max(a, b)] = std::min(a, b);
        }
    }
    for (uint32_t site = 0; site < sites.size(); ++site) root[site] = find(site);
    return root;
}

std::string edge_of(const SyncSite& s) {
    int unit = unit_of_lane(s.lane);
    if (s.kind == OpKind::set_flag) return edge_word(s.lane, lane_of(unit, s.other));
    if (s.kind == OpKind::wait_flag) return edge_word(lane_of(unit, s.other), s.lane);
    if (s.kind == OpKind::barrier_all) return "ALL";
    if (s.kind == OpKind::pipe_barrier) return word(pipe_of_lane(s.lane));
    return text("%s %s", unit_word(unit), word(pipe_of_lane(s.lane)));
}

void redundant_barrier(const SyncSite& s, uint32_t site, Findings& findings) {
    Finding f;
    f.code = "sync-redundant";
    f.note = true;
    f.edge = edge_of(s);
    f.count = s.issued;
    bool all = s.kind == OpKind::barrier_all;
    f.message = all ? "the barrier of all pipes orders nothing that is not in order already"
                    : text("the barrier of pipe %s orders nothing that is not in order already", f.edge.c_str());
    f.remedy.text = "leave it out";
    f.remedy.fix = Fix("remove");
    f.remedy.fix.with("pipe", f.edge);
    f.core = unit_word(unit_of_lane(s.lane));
    f.first = place_of(s, site);
    findings.add(std::move(f));
}

struct Component {
    uint32_t set = UINT32_MAX, wait = UINT32_MAX;  // the first of each
    uint64_t waits = 0, taught = 0;
};

void redundant_flag(const std::vector<SyncSite>& sites, const Component& c, Findings& findings) {
    const SyncSite &set = sites[c.set], &wait = sites[c.wait];
    Finding f;
    f.code = "sync-redundant";
    f.note = true;
    f.edge = edge_of(set);
    f.count = c.waits;
    f.message = text("the flag %s, id %d tells %s nothing that it does not know already", f.edge.c_str(), set.id,
                     word(pipe_of_lane(wait.lane)));
    f.remedy.text = "leave out its sets and its waits";
    f.remedy.fix = Fix("remove");
    f.remedy.fix.with("from", word(pipe_of_lane(set.lane)))
        .with("to", word(pipe_of_lane(wait.lane)))
        .with("id", set.id);
    f.core = unit_word(unit_of_lane(wait.lane));
    f.first = place_of(set, c.set);
    f.second = place_of(wait, c.wait);
    findings.add(std::move(f));
}

std::string key_word(uint32_t site) { return text("%016" PRIx64, site_key(site)); }

}  // namespace

void report_redundant(const SyncLog& log, Findings& findings) {
    const std::vector<SyncSite>& sites = log.sites();
    std::vector<uint32_t> root = components(sites);
    std::map<uint32_t, Component> flags;
    for (uint32_t site = 0; site < sites.size(); ++site) {
        const SyncSite& s = sites[site];
        if (!s.used) continue;
        if (is_barrier(s) && s.taught == 0 && !s.last) redundant_barrier(s, site, findings);
        // Flags between cores also keep one core from running ahead of the other.
        if (s.kind != OpKind::set_flag && s.kind != OpKind::wait_flag) continue;
        Component& c = flags[root[site]];
        uint32_t& first = s.kind == OpKind::set_flag ? c.set : c.wait;
        first = std::min(first, site);
        if (s.kind == OpKind::wait_flag) c.waits += s.issued;
        c.taught += s.taught;
    }
    for (const auto& [at, c] : flags) {
        if (c.taught == 0 && c.set != UINT32_MAX && c.wait != UINT32_MAX) redundant_flag(sites, c, findings);
    }
}

void write_sync(Json& json, const SyncLog& log) {
    const std::vector<SyncSite>& sites = log.sites();
    std::vector<uint32_t> root = components(sites);
    json.open('[');
    for (uint32_t site = 0; site < sites.size(); ++site) {
        const SyncSite& s = sites[site];
        if (!s.used) continue;
        json.open('{').key("key").string(key_word(site)).key("op").string(call_word(s.kind));
        json.key("pipe").string(word(pipe_of_lane(s.lane))).key("core").string(unit_word(unit_of_lane(s.lane)));
        json.key("edge").string(edge_of(s)).key("id").integer(s.id).key("mode").integer(s.mode);
        json.key("count").number(s.issued).key("taught").number(s.taught).key("last").boolean(s.last);
        json.key("component").string(key_word(root[site]));
        json.key("stack").open('[');
        const Stack& stack = stack_of(site);
        for (int i = 0; i < stack.count; ++i) json.number(stack.frames[static_cast<size_t>(i)]);
        json.close(']').close('}');
    }
    json.close(']');
}

}  // namespace aicore::engine
