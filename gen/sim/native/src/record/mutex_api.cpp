// Buffer mutexes: what a lock waits for is decided by program order, so it is fixed when it is recorded.
#include "launch/profile.h"
#include "record/running.h"
#include "record/site.h"
#include "replay/group.h"
#include "verdict/remedy.h"
#include "verdict/words.h"

namespace aicore {

using namespace engine;

namespace {

void complain(Core& core, const Op& op, std::string message, Remedy remedy) {
    const char* call = op.kind == OpKind::mutex_lock ? "lock" : "unlock";
    if (core.group->findings.known("mutex", word(op.pipe), op.site, 0)) return;
    Finding f;
    f.code = "mutex";
    f.edge = word(op.pipe);
    f.message = std::move(message);
    f.remedy = std::move(remedy);
    f.core = core.group->where(core);
    f.first = {call, word(op.pipe), op.site};
    f.links.mutex = op.id;
    f.links.mutex_lane = core.lane_id(op.pipe);
    core.group->findings.add(std::move(f));
}

Op* make(OpKind kind, Pipe pipe, int id, bool blocking, const void* frame) {
    Core* core = running();
    if (!core) not_in_kernel("a buffer mutex");
    Op* op = core->recording.make(0, 0);
    op->kind = kind;
    op->pipe = pipe;
    op->id = static_cast<int16_t>(id);
    op->blocking = blocking;
    op->site = current_site(frame, reinterpret_cast<uintptr_t>(core->stack) + core_stacks().bytes());
    if (id >= 0 && id < kMutexIds) return op;
    complain(*core, *op, text("buffer mutex %d does not exist", id), {text("use an id of 0 to %d", kMutexIds - 1), {}});
    return nullptr;
}

}  // namespace

// Pairs must not nest for one id (asc-devkit, docs, Mutex/Lock and C-API/sync/asc_lock).
void mutex_lock(Pipe pipe, int id, bool blocking) {
    Op* op = make(OpKind::mutex_lock, pipe, id, blocking, __builtin_frame_address(0));
    if (!op) return;
    Core& core = *running();
    Mutex& mutex = core.mutexes.at(id);
    if (mutex.locked) {
        complain(
            core, *op,
            text("buffer mutex %d is locked on %s again before %s unlocked it", id, word(pipe), word(mutex.holder)),
            unlock_mutex_first(mutex.holder, id));
        mutex.relocked = true;
    }
    mutex.locked = true;
    mutex.holder = pipe;
    mutex.lock_site = op->site;
    op->value = blocking ? mutex.recorded : 0;
    if (op->value) ++mutex.unlocks[op->value - mutex.first].waiting;
    core.push(op);
}

void mutex_unlock(Pipe pipe, int id, bool blocking) {
    Op* op = make(OpKind::mutex_unlock, pipe, id, blocking, __builtin_frame_address(0));
    if (!op) return;
    Core& core = *running();
    Mutex& mutex = core.mutexes.at(id);
    if (!mutex.locked || mutex.holder != pipe) {
        complain(core, *op,
                 text("buffer mutex %d is unlocked on %s, but %s", id, word(pipe),
                      mutex.locked ? text("%s holds it", word(mutex.holder)).c_str() : "nothing holds it"),
                 lock_mutex_first(pipe, id));
    }
    mutex.locked = false;
    op->value = ++mutex.recorded;
    if (mutex.unlocks.empty()) mutex.first = op->value;
    mutex.unlocks.emplace_back();
    core.push(op);
}

}  // namespace aicore
