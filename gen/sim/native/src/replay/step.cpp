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
    learn_from_shared_waits(group, core, Pipe::s);
}

// Executes what may tell its pipe something, and notes whether it did.
bool taught(Group& group, Core& core, const Op& op, bool (*run)(Group&, Core&, const Op&)) {
    Lesson lesson(core, op);
    uint32_t site = op.site;
    if (!run(group, core, op)) return false;
    if (lesson.learnt(core)) group.sync.teach(site);
    return true;
}

bool step(Group& group, Core& core, Pipe pipe) {
    Lane& lane = core.lane(pipe);
    Op& op = *lane.head;
    if (!issued(group, core, lane, op)) return false;  // freed by scalar_goes_on()
    switch (op.kind) {
        case OpKind::instr:
        case OpKind::scalar_read:
        case OpKind::scalar_write:
        case OpKind::register_read:
        case OpKind::vector_function:
            return execute(group, core, op);
        case OpKind::set_flag:
            return set_event(group, core, op);
        case OpKind::wait_flag:
            return taught(group, core, op, wait_event);
        case OpKind::pipe_barrier:
            return taught(group, core, op, barrier);
        case OpKind::barrier_all:
            return taught(group, core, op, barrier_all);
        case OpKind::cross_set:
            return set_cross(group, core, op);
        case OpKind::cross_wait:
            return taught(group, core, op, wait_cross);
        case OpKind::sync_all:
            return sync_blocks(group, core, op);
        case OpKind::word_signal:
            return signal_word(group, core, op);
        case OpKind::word_wait:
            return wait_word(group, core, op);
        case OpKind::mutex_lock:
            return lock_mutex(group, core, op);
        case OpKind::mutex_unlock:
            return unlock_mutex(group, core, op);
    }
    return false;
}

}  // namespace aicore::engine
