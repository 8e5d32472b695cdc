#include "verdict/waits.h"

#include <algorithm>
#include <array>
#include <cinttypes>
#include <deque>
#include <iterator>
#include <tuple>

#include "launch/launch.h"
#include "launch/profile.h"
#include "verdict/words.h"

namespace aicore::engine {

namespace {

// Has the core something to issue that it did not come to?
bool issues_more(const Core& core) { return core.state == FiberState::needs_value; }

template <class F>
bool queued(const Core& core, Pipe pipe, F&& wanted) {
    for (const Op* o = core.lanes[static_cast<int>(pipe)].head; o; o = o->next) {
        if (wanted(*o)) return true;
    }
    return false;
}

void wait_for_pipe(Waiter& w, int lane) {
    if (std::find(w.on.begin(), w.on.end(), lane) == w.on.end()) w.on.push_back(lane);
}

// Everything that precedes the operation on the pipes of its core.
void wait_for_earlier(Waiter& w) {
    const Op* first = nullptr;
    for (const Lane& lane : w.core->lanes) {
        if (!lane.head || lane.head->index >= w.op->index) continue;
        wait_for_pipe(w, w.core->lane_id(lane.head->pipe));
        if (!first || lane.head->index < first->index) first = lane.head;
    }
    if (first) w.why = text("%s before it never ends", op_word(*first).c_str());
}

// A set with another id, or for another pipe, that nothing waits for.
std::string misspelt(const Core& core, const Op& wait) {
    std::string found;
    core.flags.each([&](Pipe from, int id, const Flag& flag) {
        if (from != wait.other || !found.empty()) return;
        for (const OpenSet& set : flag.open) {
            if ((id == wait.id) == (set.to == wait.pipe)) continue;
            found = text("; SetFlag %s→%s, id %d is set and nothing waits for it", word(from), word(set.to), id);
            return;
        }
    });
    return found;
}

void explain_flag(Waiter& w) {
    const Op& op = *w.op;
    const Flag* flag = w.core->flags.find(op.other, op.pipe, op.id, profile().flag_identity == FlagIdentity::strict);
    // One wait too many and a set that is queued: a circle that nobody primed. More: every round lacks a set.
    if (!issues_more(*w.core) && (op.value == 0 || (flag && flag->balance < -1))) {
        w.hopeless = true;
        w.why = text("SetFlag %s→%s, id %d is issued less often than it is waited for", word(op.other), word(op.pipe),
                     op.id) +
                misspelt(*w.core, op);
    } else if (op.value != 0) {
        wait_for_pipe(w, w.core->lane_id(op.other));
        w.why = text("its SetFlag is queued on %s, which waits too", word(op.other));
    } else {
        wait_for_pipe(w, w.core->lane_id(Pipe::s));
        w.why = "its SetFlag is not issued yet";
    }
}

// The partner has to set the flag once more.
void needs_set_of(Waiter& w, const Core& partner, int id) {
    if (!partner.present()) {
        w.hopeless = true;
        return;
    }
    bool found = false;
    for (int p = 0; p < kPipes; ++p) {
        auto pipe = static_cast<Pipe>(p);
        if (!queued(partner, pipe,
                    [&](const Op& o) { return o.kind == OpKind::cross_set && o.mode == w.mode && o.id == id; })) {
            continue;
        }
        wait_for_pipe(w, partner.lane_id(pipe));
        w.why = text("its set is queued on %s %s, which waits too", unit_word(partner.unit), word(pipe));
        found = true;
    }
    if (found) return;
    if (issues_more(partner)) {
        wait_for_pipe(w, partner.lane_id(Pipe::s));
        w.why = text("its set is not issued yet by %s", unit_word(partner.unit));
        return;
    }
    w.hopeless = true;
    w.partner = partner.unit;
    w.why = text("%s does not set it once more", unit_word(partner.unit));
}

// On dav-2201 a wait does not say its mode: where both kinds of cores are there, and none of them synchronises blocks,
// the other kind is meant.
int meant_mode(const Group& group, const Op& op) {
    bool both = group.cores[0].present() && group.cores[1].present();
    return op.mode == 0 && profile().chip == Chip::dav2201 && both && !group.meets_blocks ? 2 : op.mode;
}

void explain_cross(const Group& group, Waiter& w) {
    const Op& op = *w.op;
    int unit = w.core->unit;
    w.why = "no partner core sets it once more";
    w.mode = meant_mode(group, op);
    switch (w.mode) {
        case 4:
            if (unit == 0) {
                needs_set_of(w, group.cores[op.id < kCrossIds ? 1 : 2], op.id % kCrossIds);
            } else {
                needs_set_of(w, group.cores[0], op.id + (unit == 2 ? kCrossIds : 0));
            }
            return;
        case 0:
            for (const Core& core : group.cores) {
                if (core.present() && (core.unit == 0) == (unit == 0)) needs_set_of(w, core, op.id);
            }
            w.others = w.hopeless && group.launch->blocks() > 1;
            return;
        default:
            break;
    }
    if (w.mode == 2 && unit != 0) return needs_set_of(w, group.cores[0], op.id);
    // Both AIVs have to set it: which of them did not?
    const CrossCounter* counter = group.cores[w.mode == 2 ? 0 : 1].cross.find(w.mode, op.id);
    for (int aiv = 1; aiv < kUnits; ++aiv) {
        bool came = counter && !counter->half[static_cast<size_t>(aiv)].empty();
        if (group.cores[aiv].present() && !came) needs_set_of(w, group.cores[aiv], op.id);
    }
    if (!group.cores[1].present() && !group.cores[2].present()) w.hopeless = true;
}

bool at_sync(const Core& core, const Op& sync) {
    const Op* head = core.lanes[static_cast<int>(Pipe::s)].head;
    return head && head->kind == OpKind::sync_all && key_of(*head) == key_of(sync) && head->arrived;
}

bool has_ended(const Core& core) {
    return !issues_more(core) &&
           std::none_of(std::begin(core.lanes), std::end(core.lanes), [](const Lane& l) { return l.head; });
}

void explain_sync(const Group& group, Waiter& w) {
    const Op& op = *w.op;
    if (!op.arrived) return wait_for_earlier(w);
    uint32_t came = 0, of = 0;
    auto passed = w.core->sync_rounds.find(key_of(op));
    group.launch->inter().missing_sync(op, passed == w.core->sync_rounds.end() ? 0 : passed->second, came, of);
    w.why = text("only %" PRIu32 " of %" PRIu32 " cores come to it", came, of);
    std::string ended;
    for (const Core& core : group.cores) {
        if (!core.present() || (op.blocking && core.unit == 0) || at_sync(core, op)) continue;
        if (has_ended(core)) ended += (ended.empty() ? "" : ", ") + std::string(unit_word(core.unit));
        if (core.lanes[static_cast<int>(Pipe::s)].head) {
            wait_for_pipe(w, core.lane_id(Pipe::s));
        } else {
            for (const Lane& lane : core.lanes) {
                if (lane.head) wait_for_pipe(w, core.lane_id(lane.head->pipe));
            }
        }
    }
    if (!ended.empty()) w.why += text("; %s of its block ended before", ended.c_str());
    if (w.on.empty()) w.hopeless = w.others = true;
}

void explain_word(Waiter& w) {
    for (const Lane& lane : w.core->lanes) {
        if (lane.head && lane.head->index < w.op->index) return wait_for_earlier(w);
    }
    const bool signals = w.op->kind == OpKind::word_signal;
    w.why = signals ? "no core takes the signal before it" : "no core signals once more by this word";
    w.hopeless = w.others = true;
}

void explain_mutex(Waiter& w) {
    const Mutex* mutex = w.core->mutexes.find(w.op->id);
    w.why = "an unlock before it in program order is never reached";
    for (int p = 0; mutex && p < kPipes; ++p) {
        auto pipe = static_cast<Pipe>(p);
        bool holds = queued(*w.core, pipe, [&](const Op& o) {
            return o.kind == OpKind::mutex_unlock && o.id == w.op->id && o.value > mutex->done &&
                   o.value <= w.op->value;
        });
        if (!holds) continue;
        wait_for_pipe(w, w.core->lane_id(pipe));
        w.why = text("its unlock is queued on %s, which waits too", word(pipe));
    }
}

void explain(const Group& group, Waiter& w) {
    if (w.op->epoch > w.core->epochs_done) {
        wait_for_pipe(w, w.core->lane_id(Pipe::s));
        w.why = "it is issued after something that the scalar unit waits for";
        return;
    }
    switch (w.op->kind) {
        case OpKind::wait_flag:
            return explain_flag(w);
        case OpKind::cross_wait:
            return explain_cross(group, w);
        case OpKind::sync_all:
            return explain_sync(group, w);
        case OpKind::word_signal:
        case OpKind::word_wait:
            return explain_word(w);
        case OpKind::mutex_lock:
            return explain_mutex(w);
        default:
            return wait_for_earlier(w);
    }
}

using Waiters = std::array<const Waiter*, kLanes>;

// The shortest way from a pipe back to itself.
std::vector<const Waiter*> circle_from(const Waiter& start, const Waiters& by_lane) {
    std::array<int, kLanes> from;
    from.fill(-1);
    std::deque<int> next{start.lane};
    while (!next.empty()) {
        int lane = next.front();
        next.pop_front();
        for (int on : by_lane[static_cast<size_t>(lane)]->on) {
            if (on == start.lane) {
                std::vector<const Waiter*> way;
                for (int at = lane; at != start.lane; at = from[static_cast<size_t>(at)]) {
                    way.push_back(by_lane[static_cast<size_t>(at)]);
                }
                way.push_back(&start);
                std::reverse(way.begin(), way.end());
                return way;
            }
            if (!by_lane[static_cast<size_t>(on)] || from[static_cast<size_t>(on)] >= 0) continue;
            from[static_cast<size_t>(on)] = lane;
            next.push_back(on);
        }
    }
    return {};
}

}  // namespace

bool Waiter::written() const {
    if (op->epoch > core->epochs_done) return false;
    switch (op->kind) {
        case OpKind::wait_flag:
        case OpKind::cross_wait:
        case OpKind::mutex_lock:
        case OpKind::word_signal:
        case OpKind::word_wait:
            return true;
        case OpKind::sync_all:
            return op->arrived;
        default:
            return false;
    }
}

std::vector<Waiter> find_waiters(const Group& group) {
    std::vector<Waiter> all;
    for (const Core& core : group.cores) {
        for (const Lane& lane : core.lanes) {
            if (!lane.head) continue;
            Waiter w;
            w.core = &core;
            w.op = lane.head;
            w.lane = core.lane_id(lane.head->pipe);
            w.mode = w.op->mode;
            explain(group, w);
            all.push_back(std::move(w));
        }
    }
    auto key = [](const Waiter& w) {
        return std::tuple(!w.hopeless, w.others, !w.in_core(), !w.written(), w.core->unit, w.op->index);
    };
    std::stable_sort(all.begin(), all.end(), [&](const Waiter& a, const Waiter& b) { return key(a) < key(b); });
    return all;
}

std::vector<const Waiter*> find_circle(const std::vector<Waiter>& all) {
    Waiters by_lane{};
    for (const Waiter& w : all) by_lane[static_cast<size_t>(w.lane)] = &w;
    for (const Waiter& w : all) {  // in-core waits come first, and then by program order
        if (!w.written()) continue;
        std::vector<const Waiter*> circle = circle_from(w, by_lane);
        if (!circle.empty()) return circle;
    }
    return {};
}

}  // namespace aicore::engine
