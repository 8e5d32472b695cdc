#include "replay/reorder.h"

#include <vector>

#include "hazard/order_rules.h"
#include "launch/launch.h"
#include "launch/profile.h"

namespace aicore::engine {

namespace {

constexpr size_t kWindow = 48;  // instructions of a pipe that are under way at a time

bool is_data(const Op& op) {
    switch (op.kind) {
        case OpKind::instr:
        case OpKind::scalar_read:
        case OpKind::scalar_write:
        case OpKind::register_read:
        case OpKind::vector_function:
            return true;
        default:
            return false;
    }
}

// Can be passed while instructions before it are still under way: it only keeps later ones from starting.
bool only_waits(const Op& op) {
    return op.kind == OpKind::wait_flag || op.kind == OpKind::cross_wait || op.kind == OpKind::mutex_lock;
}

// Pipes that keep every two instructions in order.
bool works_in_order(Pipe pipe) {
    switch (pipe) {
        case Pipe::v:
            return profile().vector_in_order();
        case Pipe::m:
        case Pipe::mte2:
        case Pipe::mte3:
            return false;
        default:
            return true;
    }
}

// An instruction with its further parts, as they stand in the queue behind `before` (null: at its head).
struct Segment {
    Op* before = nullptr;
    Op* first = nullptr;
    Op* last = nullptr;
};

// What stands in a pipe: instructions under way, and the operation that stops more from starting, if any.
struct Window {
    std::vector<Segment> under_way;
    Segment gate;
};

Window look(const Core& core, const Lane& lane) {
    Window window;
    Op* before = nullptr;
    size_t most = lane.head && works_in_order(lane.head->pipe) ? 1 : kWindow;
    for (Op* op = lane.head; op && op->epoch <= core.epochs_done; op = op->next) {
        if (!is_data(*op)) {
            window.gate = {before, op, op};
            break;
        }
        if (op->continues && !window.under_way.empty()) {
            window.under_way.back().last = op;
        } else {
            if (window.under_way.size() == most) break;
            window.under_way.push_back({before, op, op});
        }
        before = op;
    }
    return window;
}

void to_front(Lane& lane, const Segment& s) {
    if (!s.before) return;
    s.before->next = s.last->next;
    if (lane.tail == s.last) lane.tail = s.before;
    s.last->next = lane.head;
    lane.head = s.first;
}

void back_to_its_place(Lane& lane, const Segment& s) {
    if (!s.before) return;
    lane.head = s.last->next;
    s.last->next = s.before->next;
    s.before->next = s.first;
    if (lane.tail == s.before) lane.tail = s.last;
}

bool kept_in_order(const Core& core, const Op& first, const Op& second) {
    if (first.kind == OpKind::vector_function || second.kind == OpKind::vector_function) return true;
    int lane = core.lane_id(first.pipe);
    for (int i = 0; i < first.region_count; ++i) {
        for (int k = 0; k < second.region_count; ++k) {
            const Region &a = first.regions[i], &b = second.regions[k];
            if (a.empty() || b.empty() || a.space != b.space || !(a.write || b.write)) continue;
            if ((a.atomic && b.atomic) || !overlaps(strided(a), strided(b))) continue;
            Access one;
            one.lane = static_cast<uint8_t>(lane);
            one.order_class = first.order_class;
            one.write = a.write;
            if (ordered_in_pipe(one, {lane, b.write, b.atomic, second.order_class, second.unit_flag})) return true;
        }
    }
    return false;
}

bool kept_in_order(const Core& core, const Segment& first, const Segment& second) {
    for (const Op* a = first.first;; a = a->next) {
        for (const Op* b = second.first;; b = b->next) {
            if (kept_in_order(core, *a, *b)) return true;
            if (b == second.last) break;
        }
        if (a == first.last) return false;
    }
}

bool may_overtake(const Core& core, const Window& window, size_t which) {
    for (size_t i = 0; i < which; ++i) {
        if (kept_in_order(core, window.under_way[i], window.under_way[which])) return false;
    }
    return true;
}

bool step_from_front(Group& group, Core& core, Pipe pipe, const Segment& s) {
    Lane& lane = core.lane(pipe);
    to_front(lane, s);
    bool more_parts = s.first != s.last;
    if (!step(group, core, pipe)) {
        back_to_its_place(lane, s);
        return false;
    }
    // Its further parts stand at the head now, and nothing holds them up.
    while (more_parts && lane.head && lane.head->continues) {
        if (!step(group, core, pipe)) break;
    }
    return true;
}

// Synchronisation first: it lets more start.
bool synchronise(Group& group, Core& core, Pipe pipe) {
    Lane& lane = core.lane(pipe);
    Window window = look(core, lane);
    if (!window.gate.first) return false;
    if (!window.under_way.empty() && !only_waits(*window.gate.first)) return false;
    return step_from_front(group, core, pipe, window.gate);
}

// The last instruction that may end before those that started before it. Pipes go first in which something waits for
// that; in the others more may still start.
bool end_one(Group& group, Core& core, Pipe pipe, bool waited_for) {
    Window window = look(core, core.lane(pipe));
    if (waited_for != (window.gate.first && !only_waits(*window.gate.first))) return false;
    for (size_t i = window.under_way.size(); i-- > 0;) {
        if (may_overtake(core, window, i) && step_from_front(group, core, pipe, window.under_way[i])) return true;
    }
    return false;
}

template <class F>
bool any_lane(Group& group, F&& act) {
    for (Core& core : group.cores) {
        for (unsigned open = core.pending; open; open &= open - 1) {
            if (act(core, static_cast<Pipe>(__builtin_ctz(open)))) return true;
        }
    }
    return false;
}

}  // namespace

bool replay_reordered(Group& group) {
    bool any = false;
    while (!group.launch->aborted() && !group.wants_to_record()) {
        bool went = any_lane(group, [&](Core& core, Pipe pipe) { return synchronise(group, core, pipe); }) ||
                    any_lane(group, [&](Core& core, Pipe pipe) { return end_one(group, core, pipe, true); }) ||
                    any_lane(group, [&](Core& core, Pipe pipe) { return end_one(group, core, pipe, false); });
        if (!went) break;
        any = true;
    }
    return any;
}

}  // namespace aicore::engine
