#include "hazard/judge.h"

#include <algorithm>

#include "hazard/order_rules.h"
#include "launch/launch.h"
#include "launch/profile.h"
#include "replay/knowledge.h"
#include "verdict/race.h"

namespace aicore::engine {

namespace {

struct Conflict {
    Access first;
    Touch second;
};

struct Judged {
    Group& group;
    Core& core;
    const Op& op;
    Lane& lane;
    Actor actor;
};

bool knows(const Lane& lane, const Access& a) { return lane.know.clock.at[a.lane] >= a.seq; }

bool ordered(const Judged& j, const Access& a, const Touch& touch) {
    if (knows(j.lane, a)) return true;
    if (a.lane != j.actor.lane) return false;
    Actor actor = j.actor;
    actor.write = touch.write;
    return ordered_in_pipe(a, actor);
}

AccessList& list_of(Group& group, const Touch& touch) {
    return touch.local >= 0 ? group.accesses[touch.local] : group.track(touch.tensor).accesses;
}

// What the result depends on by this touch: an unwritten read (hazard/unwritten.h), or 0.
uint16_t gather(const Judged& j, const Touch& touch, std::vector<Conflict>& out) {
    AccessList& list = list_of(j.group, touch);
    ReadOrigin origin(touch);
    bool reads = !touch.write || touch.atomic;
    list.each_touching(touch.where, touch.write, [&](const Access& a) {
        if (reads) origin.see(a);
        if (a.order == j.group.order || (a.atomic && touch.atomic) || ordered(j, a, touch)) return;
        out.push_back({a, touch});
    });
    return !reads ? uint16_t{0} : j.group.unwritten.judge(j.core, j.op, touch, origin, list);
}

// Of what one instruction does to another, the name that tells most: what is read too early, what is overwritten too
// early, and only then two writes.
int rank(const Judged& j, const Conflict& c) {
    if (c.first.write && c.second.write) return 2;
    bool swapped = unit_of_lane(c.first.lane) == j.core.unit && c.first.index > j.op.index;
    return (swapped ? c.second.write : c.first.write) ? 0 : 1;
}

// Does the one of the two that reads, reads what a write that is ordered before it has written?
bool fed(const Judged& j, const Conflict& c) {
    if (c.first.write == c.second.write || unit_of_lane(c.first.lane) == j.core.unit) return false;
    const Access& first = c.first;
    const Lane& theirs = j.group.cores[unit_of_lane(first.lane)].lanes[static_cast<int>(pipe_of_lane(first.lane))];
    const Clock* then = theirs.snapshots.get(first.snapshot);
    Strided common = interval(std::max(first.where.lo, c.second.where.lo), std::min(first.where.hi, c.second.where.hi));
    bool found = false;
    list_of(j.group, c.second).each_write_touching(common, [&](const Access& w) {
        if (first.write) {
            found |= w.order != first.order && w.order != j.group.order && ordered(j, w, c.second);
        } else {
            bool known = w.lane == first.lane || !then || then->at[w.lane] >= w.seq;
            found |= w.order < first.order && known;
        }
    });
    return found;
}

// As if the missing edge existed: what follows from the same omission is then in order.
// `whole`: the edge is still to be written, behind all that the other pipe does before; the hardware's is not.
void heal(const Judged& j, const Access& first, bool whole) {
    Core& other = j.group.cores[unit_of_lane(first.lane)];
    Pipe theirs_pipe = pipe_of_lane(first.lane);
    Lane& theirs = other.lane(theirs_pipe);
    Knowledge known;
    if (const Clock* then = theirs.snapshots.get(first.snapshot)) known.clock = *then;
    known.clock.raise(first.lane, first.seq);
    // What the other pipe has done besides, if all of it stands earlier in the program, is before the edge as well.
    whole &= other.unit == j.core.unit && theirs.last < j.op.index;
    if (whole) known = signal_of(other, theirs_pipe).knowledge;
    learn(j.group, j.lane, known);
    // An instruction that stands earlier in the program but runs later: order the other pipe behind it as well.
    if (other.unit == j.core.unit && first.index > j.op.index) {
        Signal mine = signal_of(j.core, j.op.pipe);
        learn(j.group, theirs, mine.knowledge);
    }
}

void settle(const Judged& j, std::vector<Conflict>& conflicts) {
    // Latest first: its missing edge usually explains the older ones.
    std::stable_sort(conflicts.begin(), conflicts.end(), [&](const Conflict& a, const Conflict& b) {
        if (a.first.order != b.first.order) return a.first.order > b.first.order;
        return rank(j, a) < rank(j, b);
    });
    for (const Conflict& c : conflicts) {
        if (ordered(j, c.first, c.second)) continue;
        bool race = !ordered_by_hardware(c.first.lane, c.first.unit_flag, j.actor.lane, j.actor.unit_flag);
        if (race) report_race(j.group, j.core, j.op, c.first, c.second, fed(j, c));
        heal(j, c.first, race);
    }
}

void remember(const Judged& j, uint32_t seq, const Touch& touch, uint16_t taint) {
    Access a;
    a.where = touch.where;
    a.order = j.group.order;
    a.index = j.op.index;
    a.name = j.op.name;
    a.seq = seq;
    a.site = j.op.site;
    a.snapshot = j.lane.remember();
    a.lane = static_cast<uint8_t>(j.actor.lane);
    a.order_class = j.op.order_class;
    a.unit_flag = j.op.unit_flag;
    a.write = touch.write;
    a.atomic = touch.atomic;
    a.junk = touch.junk;
    a.taint = touch.write ? taint : 0;
    list_of(j.group, touch).insert(a);
    if (touch.tensor >= 0) j.group.track(touch.tensor).log.add(a, j.lane.know.abroad, j.core.told);
}

}  // namespace

void judge_accesses(Group& group, Core& core, const Op& op, uint32_t seq, std::span<const Touch> touches) {
    Lane& lane = core.lane(op.pipe);
    Judged j{group, core, op, lane, {core.lane_id(op.pipe), false, false, op.order_class, op.unit_flag}};
    std::vector<Conflict> conflicts;
    uint16_t taint = 0;
    for (const Touch& touch : touches) {
        uint16_t from = gather(j, touch, conflicts);
        if (taint == 0) taint = from;
    }
    if (!conflicts.empty()) settle(j, conflicts);
    if (taint && op.kind == OpKind::scalar_read) group.unwritten.decides(taint);
    for (const Touch& touch : touches) {
        remember(j, seq, touch, taint);
        if (taint && touch.write && touch.tensor >= 0) group.unwritten.stored(core, op, touch, taint);
    }
}

void judge_cross_set(Group& group, Core& target, int mode, int id, const CrossCounter& counter,
                     const Arrival& arrival) {
    uint64_t room = profile().cross_flag == CrossFlag::binary ? 1 : kMaxPending;
    if (counter.sets < room) return;
    // Set number n needs to know that wait number n - room is over.
    uint64_t needed = counter.sets - room;  // index of that wait, counted from 0
    if (needed < counter.waits) {
        uint64_t oldest = counter.waits - counter.recent_waits.size();
        if (needed < oldest) return;
        const CrossWait& wait = counter.recent_waits[needed - oldest];
        if (arrival.signal.knowledge.clock.at[wait.lane] >= wait.seq) return;
    }
    report_cross_overflow(group, target, mode, id, arrival, room);
}

bool free_of_hidden_order(const Core& core, const Op& op) {
    bool scalar_pair = profile().auto_sync && core.unit != 0 && op.pipe != Pipe::mte1;
    if (!scalar_pair && op.unit_flag == 0) return true;
    for (int p = 0; p < kPipes; ++p) {
        if (p == static_cast<int>(op.pipe)) continue;
        for (const Op* o = core.lanes[p].head; o && o->index < op.index; o = o->next) {
            if (!ordered_by_hardware(lane_of(core.unit, o->pipe), o->unit_flag, core.lane_id(op.pipe), op.unit_flag))
                continue;
            if (o->kind == OpKind::vector_function || op.kind == OpKind::vector_function) return false;
            for (int i = 0; i < o->region_count; ++i) {
                for (int k = 0; k < op.region_count; ++k) {
                    const Region &a = o->regions[i], &b = op.regions[k];
                    if (a.space != b.space || !(a.write || b.write) || a.empty() || b.empty()) continue;
                    if (overlaps(strided(a), strided(b))) return false;
                }
            }
        }
    }
    return true;
}

}  // namespace aicore::engine
