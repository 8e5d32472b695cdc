// SetFlag and WaitFlag.
#include "launch/profile.h"
#include "replay/knowledge.h"
#include "replay/operations.h"

namespace aicore::engine {

namespace {

Flag& flag_of(Core& core, Pipe from, Pipe to, int id) {
    return core.flags.at(from, to, id, profile().flag_identity == FlagIdentity::strict);
}

}  // namespace

bool set_event(Group&, Core& core, const Op& op) {
    Lane& lane = core.lane(op.pipe);
    uint64_t start = start_time(core, lane, op);
    Flag& flag = flag_of(core, op.pipe, op.other, op.id);
    Signal signal = signal_of(core, op.pipe);
    signal.time = std::max(signal.time, start);
    flag.sets.push_back({signal, op.site, op.other});
    core.wake(op.other);
    retire(core, op.pipe, start, 0);
    return true;
}

bool wait_event(Group& group, Core& core, const Op& op) {
    Flag& flag = flag_of(core, op.other, op.pipe, op.id);
    if (flag.sets.empty()) return false;  // freed by set_event()
    Lane& lane = core.lane(op.pipe);
    take(group, lane, flag.sets.front().signal);
    flag.sets.pop_front();
    bool scalar = op.pipe == Pipe::s;
    retire(core, op.pipe, start_time(core, lane, op), 0);
    if (scalar) scalar_goes_on(core);
    return true;
}

}  // namespace aicore::engine
