// Buffer mutexes: a lock waits for the unlocks that precede it in program order.
#include "replay/mutexes.h"

#include <algorithm>

#include "replay/knowledge.h"
#include "replay/operations.h"

namespace aicore::engine {

namespace {

// Joins what each unlock says with what all before it say, as far as they are executed.
void settle(Group& group, Mutex& mutex) {
    while (mutex.done < mutex.recorded) {
        Unlock& next = mutex.unlocks[mutex.done + 1 - mutex.first];
        if (!next.done) break;
        if (mutex.done >= mutex.first) {
            const Unlock& before = mutex.unlocks[mutex.done - mutex.first];
            Lane joined;
            joined.know = next.known;
            learn(group, joined, before.known);
            next.known = joined.know;
            for (size_t p = 0; p < next.issued.size(); ++p) next.issued[p] = std::max(next.issued[p], before.issued[p]);
            next.time = std::max(next.time, before.time);
        }
        ++mutex.done;
    }
}

// Forgets unlocks that no recorded lock asks for; the last one stays for locks to come.
void trim(Mutex& mutex) {
    while (mutex.unlocks.size() > 1 && mutex.first < mutex.done && mutex.unlocks.front().waiting == 0) {
        mutex.unlocks.pop_front();
        ++mutex.first;
    }
}

}  // namespace

// op.value: ordinal of the last unlock that precedes the lock in program order, 0 for none.
bool lock_mutex(Group& group, Core& core, const Op& op) {
    Lane& lane = core.lane(op.pipe);
    uint64_t start = start_time(core, lane, op);
    if (op.blocking && op.value > 0) {
        Mutex& mutex = core.mutexes.at(op.id);
        if (mutex.done < op.value) return false;  // freed by unlock_mutex()
        Unlock& point = mutex.unlocks[op.value - mutex.first];
        learn(group, lane, point.known);
        for (int p = 0; p < kPipes; ++p) {
            if (p == static_cast<int>(op.pipe)) continue;
            lane.changed |= lane.know.clock.raise(lane_of(core.unit, static_cast<Pipe>(p)), point.issued[p]);
        }
        start = std::max(start, point.time);
        --point.waiting;
        trim(mutex);
    }
    retire(core, op.pipe, start, 0);
    return true;
}

bool unlock_mutex(Group& group, Core& core, const Op& op) {
    Lane& lane = core.lane(op.pipe);
    Mutex& mutex = core.mutexes.at(op.id);
    Unlock& mine = mutex.unlocks[op.value - mutex.first];
    mine.done = true;
    mine.known = lane.know;
    mine.issued[static_cast<size_t>(op.pipe)] = lane.issued;
    mine.time = std::max(lane.free_at, start_time(core, lane, op));
    settle(group, mutex);
    trim(mutex);
    retire(core, op.pipe, mine.time, 0);
    core.wake_all();
    return true;
}

}  // namespace aicore::engine
