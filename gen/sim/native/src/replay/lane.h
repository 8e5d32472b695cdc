// One in-order pipe of one core during replay.
#pragma once

#include <cstdint>
#include <vector>

#include "record/op.h"
#include "replay/clock.h"

namespace aicore::engine {

// What a pipe knew at earlier moments. Bounded: the oldest are forgotten (then only the instruction itself is known).
class Snapshots {
public:
    uint32_t push(const Clock& clock) {
        if (ring_.size() < kKeep) {
            ring_.push_back(clock);
        } else {
            ring_[next_ % kKeep] = clock;
        }
        return next_++;
    }
    const Clock* get(uint32_t id) const {
        return id < next_ && next_ - id <= ring_.size() ? &ring_[id % kKeep] : nullptr;
    }
    void clear() {
        ring_.clear();
        next_ = 0;
    }

private:
    static constexpr uint32_t kKeep = 8192;
    std::vector<Clock> ring_;
    uint32_t next_ = 0;
};

struct Lane {
    Op* head = nullptr;  // recorded, not yet replayed
    Op* tail = nullptr;
    Knowledge know;       // complete before the next instruction of this pipe starts
    uint32_t issued = 0;  // instructions and waits replayed
    uint64_t last = 0;    // the last instruction: its program order, its name and its site
    const char* last_name = "";
    uint32_t last_site = 0;
    uint32_t epoch = 0;    // epoch of the scalar unit that is part of `know`
    uint64_t free_at = 0;  // modelled cycle at which the pipe is idle
    bool changed = true;   // `know` is newer than the last snapshot
    uint32_t snapshot = 0;
    Snapshots snapshots;

    void push(Op* op) {
        op->next = nullptr;
        (tail ? tail->next : head) = op;
        tail = op;
    }
    Op* pop() {
        Op* op = head;
        head = op->next;
        if (!head) tail = nullptr;
        return op;
    }
    // Number of the snapshot that holds the present knowledge.
    uint32_t remember() {
        if (changed) {
            snapshot = snapshots.push(know.clock);
            changed = false;
        }
        return snapshot;
    }
    void reset() {
        snapshots.clear();
        Snapshots kept = std::move(snapshots);
        *this = Lane{};
        snapshots = std::move(kept);
    }
};

}  // namespace aicore::engine
