// CrossCoreSetFlag, CrossCoreWaitFlag, SyncAll, and signals by words of global memory.
#include <algorithm>

#include "hazard/judge.h"
#include "launch/launch.h"
#include "launch/profile.h"
#include "replay/knowledge.h"
#include "replay/operations.h"
#include "verdict/word_report.h"

namespace aicore::engine {

namespace {

// Calls visit(unit, id) for each counter that a set of modes 1, 2 or 4 raises.
template <class F>
void each_target(Group& group, const Core& core, const Op& op, F&& visit) {
    auto tell = [&](int unit, int id) {
        if (group.cores[unit].present()) visit(unit, id);
    };
    if (op.mode == 1 || (op.mode == 2 && core.unit == 0)) {
        tell(1, op.id);
        tell(2, op.id);
    } else if (op.mode == 2) {
        tell(0, op.id);
    } else if (op.mode == 4 && core.unit == 0) {
        tell(op.id < kCrossIds ? 1 : 2, op.id % kCrossIds);
    } else if (op.mode == 4) {
        tell(0, op.id % kCrossIds + (core.unit == 2 ? kCrossIds : 0));
    }
}

void deliver(Group& group, int unit, int mode, int id, const Arrival& arrival) {
    Core& target = group.cores[unit];
    if (!target.present()) return;
    CrossCounter& counter = target.cross.at(mode, id);
    judge_cross_set(group, target, mode, id, counter, arrival);
    ++counter.sets;
    counter.pending.push_back(arrival);
    target.wake_all();
}

Arrival join(Group& group, const Arrival& a, const Arrival& b) {
    Lane both;
    both.know = a.signal.knowledge;
    learn(group, both, b.signal.knowledge);
    return {{both.know, std::max(a.signal.time, b.signal.time)}, b.site, b.from_lane};
}

// Modes 1 and 2 need a set of each AIV of the block before a counter moves.
bool complete_pair(Group& group, CrossCounter& at, int unit, const Arrival& arrival, Arrival& out) {
    if (!group.cores[2].present()) {
        out = arrival;
        return true;
    }
    at.half[static_cast<size_t>(unit)].push_back(arrival);
    if (at.half[1].empty() || at.half[2].empty()) return false;
    out = join(group, at.half[1].front(), at.half[2].front());
    at.half[1].pop_front();
    at.half[2].pop_front();
    return true;
}

void set_mode1(Group& group, Core& core, const Op& op, const Arrival& arrival) {
    Arrival both;
    if (!complete_pair(group, group.cores[1].cross.at(1, op.id), core.unit, arrival, both)) return;
    deliver(group, 1, 1, op.id, both);
    deliver(group, 2, 1, op.id, both);
}

void set_mode2(Group& group, Core& core, const Op& op, const Arrival& arrival) {
    if (core.unit == 0) {
        deliver(group, 1, 2, op.id, arrival);
        deliver(group, 2, 2, op.id, arrival);
        return;
    }
    Arrival both;
    if (!group.cores[0].present()) return;
    if (complete_pair(group, group.cores[0].cross.at(2, op.id), core.unit, arrival, both))
        deliver(group, 0, 2, op.id, both);
}

// AIC: id for AIV0, id + 16 for AIV1; an AIV uses 0..15 and the AIC sees id, or id + 16 from AIV1.
void set_mode4(Group& group, Core& core, const Op& op, const Arrival& arrival) {
    if (core.unit == 0) {
        deliver(group, op.id < kCrossIds ? 1 : 2, 4, op.id % kCrossIds, arrival);
    } else {
        deliver(group, 0, 4, op.id % kCrossIds + (core.unit == 2 ? kCrossIds : 0), arrival);
    }
}

// What a wait may rely on when it takes one of several sets, of which nobody knows which came first. Before it, `taken`
// others have been taken for sure; so an instruction is complete for sure when all but `taken` of the sets tell so.
Knowledge what_is_certain(const std::vector<Arrival>& sets, size_t taken) {
    Knowledge certain;
    std::vector<uint32_t> column(sets.size());
    for (int lane = 0; lane < kLanes; ++lane) {
        for (size_t i = 0; i < sets.size(); ++i) column[i] = sets[i].signal.knowledge.clock.at[lane];
        auto nth = column.begin() + static_cast<int64_t>(std::min(taken, sets.size() - 1));
        std::nth_element(column.begin(), nth, column.end());
        certain.clock.at[lane] = *nth;
    }
    certain.abroad = sets.front().signal.knowledge.abroad;
    for (const Arrival& a : sets) {
        if (a.signal.knowledge.abroad != certain.abroad) certain.abroad = nullptr;
    }
    return certain;
}

// Waits of the counter that are over, to the knowledge of the pipe.
size_t waits_over(const Core& core, const Lane& lane, Pipe pipe, const CrossCounter& counter) {
    size_t over = 0;
    for (const CrossWait& w : counter.all_waits) {
        bool own = w.lane == core.lane_id(pipe);
        over += own || lane.know.clock.at[w.lane] >= w.seq;
    }
    return over;
}

void learn_certain(Group& group, Lane& lane, const CrossCounter& counter, size_t taken) {
    for (const auto& sets : counter.history) {
        if (!sets.empty()) learn(group, lane, what_is_certain(sets, taken));
    }
}

void count_taken(CrossCounter& counter, int lane, uint32_t seq) {
    ++counter.waits;
    counter.all_waits.push_back({lane, seq});
    counter.recent_waits.push_back({lane, seq});
    if (counter.recent_waits.size() > kMaxPending + 1) counter.recent_waits.pop_front();
}

void tell_blocks(Group& group, Core& core, const Op& op) {
    ++core.told;
    const bool by_words = op.kind == OpKind::sync_all && op.value != 0;
    const uint32_t blocks = by_words ? static_cast<uint32_t>(op.id) : group.launch->blocks();
    if (blocks > group.launch->resident_blocks()) report_not_resident(group, core, op);
    const bool with_aics = op.kind == OpKind::sync_all && !op.blocking;
    if (with_aics && !group.launch->has_aics()) report_no_aic(group, core, op);
}

void pass(Group&, Core& core, const Op& op, uint64_t start) {
    bool scalar = op.pipe == Pipe::s;
    retire(core, op.pipe, start, 0);
    if (scalar) scalar_goes_on(core);
}

}  // namespace

void learn_from_shared_waits(Group& group, Core& core, Pipe pipe) {
    if (!core.shares_cross_waits) return;
    Lane& lane = core.lane(pipe);
    core.cross.each([&](int, int, const CrossCounter& counter) {
        if (!(counter.wait_lanes & (counter.wait_lanes - 1))) return;
        size_t over = waits_over(core, lane, pipe, counter);
        if (over > 0) learn_certain(group, lane, counter, over - 1);
    });
}

void note_cross(Core& core, const Op& op) {
    uint32_t lane = 1u << core.lane_id(op.pipe);
    if (op.kind == OpKind::cross_wait) {
        uint32_t& lanes = core.cross.at(op.mode, op.id).wait_lanes;
        lanes |= lane;
        core.shares_cross_waits |= (lanes & (lanes - 1)) != 0;
        return;
    }
    Group& group = *core.group;
    each_target(group, core, op, [&](int unit, int id) { group.cores[unit].cross.at(op.mode, id).set_lanes |= lane; });
}

bool set_cross(Group& group, Core& core, const Op& op) {
    Lane& lane = core.lane(op.pipe);
    uint64_t start = start_time(core, lane, op);
    Arrival arrival{signal_of(core, op.pipe), op.site, core.lane_id(op.pipe)};
    arrival.signal.time = std::max(arrival.signal.time, start);
    each_target(group, core, op, [&](int unit, int id) {
        group.cores[unit].cross.at(op.mode, id).history[static_cast<size_t>(core.unit)].push_back(arrival);
    });
    switch (op.mode) {
        case 0:
            tell_blocks(group, core, op);
            if (group.launch->inter().arrive_flag(core, op.id, arrival.signal)) group.wake_all();
            break;
        case 1:
            set_mode1(group, core, op, arrival);
            break;
        case 2:
            set_mode2(group, core, op, arrival);
            break;
        default:
            set_mode4(group, core, op, arrival);
            break;
    }
    retire(core, op.pipe, start, 0);
    return true;
}

bool wait_cross(Group& group, Core& core, const Op& op) {
    Lane& lane = core.lane(op.pipe);
    CrossCounter& counter = core.cross.at(op.mode, op.id);
    const Signal* other = nullptr;
    if (counter.pending.empty()) {
        if (op.mode == 4) return false;  // freed by deliver()
        other = group.launch->inter().flag_done(core, op.id, core.mode0_waits[static_cast<size_t>(op.id)]);
        if (!other) return false;
        ++core.mode0_waits[static_cast<size_t>(op.id)];
        group.launch->inter().take_flag(core, op.id);
        learn_own_block(group, core, lane, *other);
    } else {
        const Signal& signal = counter.pending.front().signal;
        group.sync.link(op.site, counter.pending.front().site);
        if (counter.ambiguous()) {
            learn_certain(group, lane, counter, waits_over(core, lane, op.pipe, counter));
            lane.free_at = std::max(lane.free_at, signal.time);
        } else {
            take(group, lane, signal);
        }
        counter.pending.pop_front();
    }
    int at = 0;
    uint32_t seq = 0;
    count_wait(core, op.pipe, at, seq);
    if (!other) count_taken(counter, at, seq);
    learn_from_shared_waits(group, core, op.pipe);
    pass(group, core, op, start_time(core, lane, op));
    return true;
}

void learn_own_block(Group& group, Core& core, Lane& lane, const Signal& signal) {
    take(group, lane, signal);
    lane.changed |= lane.know.clock.merge(signal.knowledge.abroad->blocks[core.info.block]);
}

bool sync_blocks(Group& group, Core& core, Op& op) {
    if (!drained(core, op)) return false;
    uint32_t& round = core.sync_rounds[key_of(op)];
    Lane& s = core.lane(Pipe::s);
    if (!op.arrived) {
        op.arrived = true;
        drain(group, core);
        if (op.word != 0) check_word(group, core, op, round);
        tell_blocks(group, core, op);
        Signal signal = signal_of(core, Pipe::s);
        signal.time = std::max(signal.time, start_time(core, s, op));
        if (group.launch->inter().arrive_sync(core, op, round, signal)) group.wake_all();
    }
    const Signal* done = group.launch->inter().sync_done(op, round);
    if (!done) return false;
    ++round;
    learn_own_block(group, core, s, *done);
    pass(group, core, op, start_time(core, s, op));
    return true;
}

// The scalar unit with all that its pipes have done.
static Signal all_of(Group& group, Core& core, const Op& op) {
    drain(group, core);
    Signal signal = signal_of(core, Pipe::s);
    signal.time = std::max(signal.time, start_time(core, core.lane(Pipe::s), op));
    return signal;
}

bool signal_word(Group& group, Core& core, const Op& op) {
    if (!drained(core, op)) return false;
    if (op.blocking) check_word(group, core, op, 0);
    const Signal* taken = nullptr;
    if (!group.launch->inter().signal_word(core, op, all_of(group, core, op), taken)) return false;
    ++core.told;
    Lane& s = core.lane(Pipe::s);
    if (taken) learn_own_block(group, core, s, *taken);
    group.wake_all();
    pass(group, core, op, start_time(core, s, op));
    return true;
}

bool wait_word(Group& group, Core& core, const Op& op) {
    if (!drained(core, op)) return false;
    const Signal* signal = group.launch->inter().take_word(core, op, all_of(group, core, op));
    if (!signal) return false;
    ++core.told;
    Lane& s = core.lane(Pipe::s);
    learn_own_block(group, core, s, *signal);
    group.wake_all();
    pass(group, core, op, start_time(core, s, op));
    return true;
}

}  // namespace aicore::engine
