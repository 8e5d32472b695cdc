// Executes one recorded operation, or finds that it has to wait.
#include "launch/profile.h"
#include "replay/group.h"
#include "replay/knowledge.h"
#include "replay/operations.h"

namespace aicore::engine {

namespace {

bool barrier(Group&, Core& core, const Op& op) {
    Lane& lane = core.lane(op.pipe);
    lane.changed |= lane.know.clock.raise(core.lane_id(op.pipe), lane.issued);
    retire(core, op.pipe, start_time(core, lane, op), 0);
    return true;
}

bool barrier_all(Group& group, Core& core, const Op& op) {
    if (!drained(core, op)) return false;
    drain(group, core);
    Lane& s = core.lane(Pipe::s);
    retire(core, Pipe::s, start_time(core, s, op), 0);
    scalar_goes_on(core);
    return true;
}

}  // namespace

bool drained(const Core& core, const Op& op) {
    for (const Lane& lane : core.lanes) {
        if (lane.head && lane.head->index < op.index) return false;
    }
    return true;
}

void drain(Group& group, Core& core) {
    Lane& s = core.lane(Pipe::s);
    for (int p = 0; p < kPipes; ++p) take(group, s, signal_of(core, static_cast<Pipe>(p)));
}

bool step(Group& group, Core& core, Pipe pipe) {
    Lane& lane = core.lane(pipe);
    Op& op = *lane.head;
    if (!issued(group, core, lane, op)) return false;  // freed by scalar_goes_on()
    switch (op.kind) {
        case OpKind::instr:
        case OpKind::scalar_read:
        case OpKind::scalar_write:
        case OpKind::vector_function:
            return execute(group, core, op);
        case OpKind::set_flag:
            return set_event(group, core, op);
        case OpKind::wait_flag:
            return wait_event(group, core, op);
        case OpKind::pipe_barrier:
            return barrier(group, core, op);
        case OpKind::barrier_all:
            return barrier_all(group, core, op);
        case OpKind::cross_set:
            return set_cross(group, core, op);
        case OpKind::cross_wait:
            return wait_cross(group, core, op);
        case OpKind::sync_all:
            return sync_blocks(group, core, op);
        case OpKind::mutex_lock:
            return lock_mutex(group, core, op);
        case OpKind::mutex_unlock:
            return unlock_mutex(group, core, op);
    }
    return false;
}

}  // namespace aicore::engine
