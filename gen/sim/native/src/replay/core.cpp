#include "replay/core.h"

#include <cstring>

#include "launch/profile.h"

namespace aicore::engine {

void Core::reset(Group* owner, int which) {
    group = owner;
    unit = which;
    state = FiberState::absent;
    recording.clear();
    next_index = 0;
    epochs_issued = issued_in_epoch = since_yield = last_site = 0;
    value = 0;
    locks_held = {};
    mark = UINT32_MAX;
    last_sync = 0;
    last_sync_index = UINT64_MAX;
    accumulators.clear();
    unit_flags.clear();
    data_cache.clean_all();
    told_elsewhere = false;
    std::memset(face, 0, sizeof face);
    for (Lane& lane : lanes) lane.reset();
    pending = blocked = soft = 0;
    epochs.assign(1, Epoch{});
    first_epoch = epochs_done = 0;
    sync_rounds.clear();
    mode0_waits = {};
    told = 0;
    flags.clear();
    mutexes = {};
    cross = {};
    shares_cross_waits = false;
    counts.clear();
    executed = 0;
    finish = 0;
}

bool Core::stops_scalar(const Op& op) const {
    switch (op.kind) {
        // --cce-auto-sync waits for the other pipes in front of it, and so does everything behind it.
        case OpKind::scalar_write:
            return profile().auto_sync && unit != 0;
        case OpKind::scalar_read:
        case OpKind::register_read:
        case OpKind::barrier_all:
        case OpKind::sync_all:
        case OpKind::word_signal:
        case OpKind::word_wait:
            return true;
        case OpKind::wait_flag:
        case OpKind::cross_wait:
            return op.pipe == Pipe::s;
        default:
            return false;
    }
}

void Core::push(Op* op) {
    op->index = next_index++;
    op->epoch = epochs_issued;
    op->issue = issued_in_epoch++;
    if (stops_scalar(*op)) {
        ++epochs_issued;
        issued_in_epoch = 0;
    }
    lane(op->pipe).push(op);
    pending |= static_cast<uint8_t>(1u << static_cast<unsigned>(op->pipe));
    ++since_yield;
}

}  // namespace aicore::engine
