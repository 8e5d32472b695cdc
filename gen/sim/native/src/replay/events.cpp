// SetFlag and WaitFlag.
#include <algorithm>

#include "launch/profile.h"
#include "replay/knowledge.h"
#include "replay/operations.h"

namespace aicore::engine {

namespace {

Flag& flag_of(Core& core, Pipe from, Pipe to, int id) {
    return core.flags.at(from, to, id, profile().flag_identity == FlagIdentity::strict);
}

}  // namespace

bool Flag::issue_set(Op& op, OpenSet& overwritten) {
    op.value = ++sets;
    if (!early.empty()) {
        early.front()->value = op.value;
        early.pop_front();
        ++balance;
        return false;
    }
    auto same = std::find_if(open.begin(), open.end(), [&](const OpenSet& o) { return o.to == op.other; });
    bool again = same != open.end();
    if (again) {
        overwritten = *same;
        lost.push_back(*same);
        open.erase(same);
    } else {
        ++balance;
    }
    open.push_back({op.value, op.index, op.site, op.other});
    return again;
}

void Flag::issue_wait(Op& op) {
    if (open.empty() && !lost.empty()) {
        taken = lost.back();
        op.value = taken.ordinal;
        lost.pop_back();
        return;
    }
    if (--balance < lowest) {
        if (lowest == 0) short_site = op.site;
        lowest = balance;
    }
    if (open.empty()) {
        op.value = 0;
        early.push_back(&op);
        return;
    }
    taken = open.front();
    op.value = taken.ordinal;
    open.pop_front();
}

static const Signal& certain_signal(const Core& core, const Op& op, const Flag& flag) {
    const Lane& lane = core.lanes[static_cast<int>(op.pipe)];
    size_t over = 0;
    for (const FlagWait& w : flag.waited) {
        over += w.lane == core.lane_id(op.pipe) || lane.know.clock.at[w.lane] >= w.seq;
    }
    return flag.history[std::min(over, flag.history.size() - 1)];
}

bool set_event(Group&, Core& core, const Op& op) {
    Lane& lane = core.lane(op.pipe);
    uint64_t start = start_time(core, lane, op);
    Signal signal = signal_of(core, op.pipe);
    signal.time = std::max(signal.time, start);
    Flag& flag = flag_of(core, op.pipe, op.other, op.id);
    flag.done.push_back({op.value, signal, op.site, op.other});
    bool strict = profile().flag_identity == FlagIdentity::strict;
    if (strict) flag.history.push_back(signal);
    strict ? core.wake_all() : core.wake(op.other);
    retire(core, op.pipe, start, 0);
    return true;
}

bool wait_event(Group& group, Core& core, const Op& op) {
    if (op.value == 0) return false;  // no set is issued yet
    Flag& flag = flag_of(core, op.other, op.pipe, op.id);
    auto set =
        std::find_if(flag.done.begin(), flag.done.end(), [&](const DoneSet& d) { return d.ordinal == op.value; });
    if (set == flag.done.end()) return false;  // freed by set_event()
    Lane& lane = core.lane(op.pipe);
    bool strict = profile().flag_identity == FlagIdentity::strict;
    take(group, lane, strict ? certain_signal(core, op, flag) : set->signal);
    lane.free_at = std::max(lane.free_at, set->signal.time);
    group.sync.link(op.site, set->site);
    flag.done.erase(set);
    if (strict) {
        FlagWait over;
        count_wait(core, op.pipe, over.lane, over.seq);
        flag.waited.push_back(over);
    }
    learn_from_shared_waits(group, core, op.pipe);
    bool scalar = op.pipe == Pipe::s;
    retire(core, op.pipe, start_time(core, lane, op), 0);
    if (scalar) scalar_goes_on(core);
    return true;
}

}  // namespace aicore::engine
