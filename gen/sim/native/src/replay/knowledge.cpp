#include "replay/knowledge.h"

#include <algorithm>

#include "launch/launch.h"
#include "launch/trace.h"

namespace aicore::engine {

void learn(Group& group, Lane& lane, const Knowledge& what) {
    lane.changed |= lane.know.clock.merge(what.clock);
    if (what.abroad != lane.know.abroad) lane.know.abroad = group.launch->inter().join(lane.know.abroad, what.abroad);
}

Signal signal_of(const Core& core, Pipe pipe) {
    const Lane& lane = core.lanes[static_cast<int>(pipe)];
    Signal signal{lane.know, lane.free_at};
    signal.knowledge.clock.raise(core.lane_id(pipe), lane.issued);
    return signal;
}

void take(Group& group, Lane& lane, const Signal& signal) {
    learn(group, lane, signal.knowledge);
    lane.free_at = std::max(lane.free_at, signal.time);
}

bool issued(Group& group, Core& core, Lane& lane, const Op& op) {
    if (op.epoch > core.epochs_done) return false;
    if (op.epoch > lane.epoch) {
        if (op.pipe != Pipe::s) learn(group, lane, core.epochs[op.epoch - core.first_epoch].know);
        lane.epoch = op.epoch;
    }
    return true;
}

uint64_t start_time(const Core& core, const Lane& lane, const Op& op) {
    return std::max(lane.free_at, core.epochs[op.epoch - core.first_epoch].time + op.issue);
}

void retire(Core& core, Pipe pipe, uint64_t start, uint64_t cycles) {
    Lane& lane = core.lane(pipe);
    trace_op(core, *lane.head, start, cycles);
    lane.free_at = start + cycles;
    core.finish = std::max(core.finish, lane.free_at);
    ++core.executed;
    Op* op = lane.pop();
    if (!lane.head) core.pending &= static_cast<uint8_t>(~(1u << static_cast<unsigned>(pipe)));
    core.recording.release(op);
}

// Drops what no recorded or future instruction can ask for.
static void trim_epochs(Core& core) {
    uint32_t oldest = core.epochs_done;
    for (const Lane& lane : core.lanes) {
        if (lane.head) oldest = std::min(oldest, lane.head->epoch);
    }
    while (core.first_epoch < oldest) {
        core.epochs.pop_front();
        ++core.first_epoch;
    }
}

void scalar_goes_on(Core& core) {
    Lane& s = core.lane(Pipe::s);
    ++core.epochs_done;
    s.changed |= s.know.clock.raise(issue_lane(core.unit), core.epochs_done);
    core.epochs.push_back({s.know, s.free_at});
    core.wake_all();
    if (core.epochs.size() > 64) trim_epochs(core);
}

void count_wait(Core& core, Pipe pipe, int& lane, uint32_t& seq) {
    if (pipe == Pipe::s) {
        lane = issue_lane(core.unit);
        seq = core.epochs_done + 1;
        return;
    }
    lane = core.lane_id(pipe);
    seq = ++core.lane(pipe).issued;
}

}  // namespace aicore::engine
