// What must be balanced when a block has ended.
#include <cinttypes>

#include "launch/launch.h"
#include "replay/group.h"
#include "verdict/words.h"

namespace aicore::engine {

namespace {

void flag_left(Group& group, const Core& core, Pipe from, int id, const OpenSet& set) {
    std::string edge = edge_word(core.lane_id(from), core.lane_id(set.to));
    if (group.findings.known("flag-left-set", edge, set.site, 0)) return;
    Finding f;
    f.code = "flag-left-set";
    f.edge = edge;
    f.message = text("the flag %s→%s, id %d is still set when the core ends, and the next kernel finds it set",
                     word(from), word(set.to), id);
    f.remedy = wait_once_more({core.unit, from, set.to, id}, false);
    f.core = group.where(core);
    f.first = {"SetFlag", word(from), set.site};
    f.links.flag = {core.unit, from, set.to, id};
    group.findings.add(std::move(f));
}

void cross_left(Group& group, const Core& core, int mode, int id, const CrossCounter& counter) {
    if (counter.pending.empty()) return;
    const Arrival& set = counter.pending.front();
    std::string edge = edge_word(set.from_lane, lane_of(core.unit, Pipe::s));
    if (group.findings.known("cross-flag-left", edge, set.site, 0)) return;
    Finding f;
    f.code = "cross-flag-left";
    f.note = true;
    f.edge = edge;
    f.message = text("cross-core flag %d%s of %s still counts %zu when the kernel ends", id,
                     mode == 4 ? " (mode 4)" : "", unit_word(core.unit), counter.pending.size());
    f.remedy = wait_cross_once_more(core.unit, mode, id);
    f.core = group.where(core);
    f.first = {"CrossCoreSetFlag", word(pipe_of_lane(set.from_lane)), set.site};
    f.links.cross = {core.unit, mode, id};
    group.findings.add(std::move(f));
}

void mutex_left(Group& group, const Core& core, int id, const Mutex& mutex) {
    if (!mutex.locked || mutex.relocked) return;
    if (group.findings.known("mutex", word(mutex.holder), mutex.lock_site, 0)) return;
    Finding f;
    f.code = "mutex";
    f.edge = word(mutex.holder);
    f.message = text("buffer mutex %d is still locked on %s when the core ends", id, word(mutex.holder));
    f.remedy = unlock_mutex_first(mutex.holder, id);
    f.core = group.where(core);
    f.first = {"lock", word(mutex.holder), mutex.lock_site};
    f.links.mutex = id;
    f.links.mutex_lane = core.lane_id(mutex.holder);
    group.findings.add(std::move(f));
}

}  // namespace

void report_flags_left(InterBlock& inter, const std::string& kernel, Findings& findings) {
    for (const InterBlock::Left& left : inter.flags_left()) {
        const char* kind = left.kind == CoreKind::aic ? "AIC" : "AIV";
        Finding f;
        f.code = "cross-flag-left";
        f.note = true;
        f.edge = text("all %ss→all %ss", kind, kind);
        f.message = text("cross-core flag %d (mode 0) of the %ss of %s still counts when the kernel ends", left.id,
                         kind, kernel.c_str());
        f.remedy = wait_cross_once_more(left.kind == CoreKind::aic ? 0 : 1, 0, left.id);
        findings.add(std::move(f));
    }
}

void report_leftovers(Group& group) {
    if (group.stopped) return;
    for (Core& core : group.cores) {
        if (!core.present()) continue;
        if (core.last_sync_index + 1 == core.next_index) group.sync.end(core.last_sync);
        core.unit_flags.report(core);
        core.flags.each([&](Pipe from, int id, const Flag& flag) {
            for (const OpenSet& set : flag.open) flag_left(group, core, from, id, set);
        });
        core.cross.each([&](int mode, int id, const CrossCounter& c) { cross_left(group, core, mode, id, c); });
        for (int id = 0; id < kMutexIds; ++id) {
            if (const Mutex* mutex = core.mutexes.find(id)) mutex_left(group, core, id, *mutex);
        }
    }
}

}  // namespace aicore::engine
