#include "verdict/race.h"

#include <cinttypes>

#include "launch/launch.h"
#include "launch/profile.h"
#include "memory/gm.h"
#include "verdict/words.h"

namespace aicore::engine {

namespace {

struct Kind {
    const char* code;
    const char* name;
    const char* verb;
};

Kind kind_of(bool first_writes, bool second_writes) {
    if (first_writes && second_writes) return {"race-waw", "WAW", "overwrites what %s writes"};
    if (first_writes) return {"race-raw", "RAW", "reads what %s writes"};
    return {"race-war", "WAR", "overwrites what %s reads"};
}

// One of the two accesses, as far as their order is concerned.
struct Side {
    int lane = 0;
    bool write = false;
    uint64_t index = 0;
    Place place;
};

// In one core by program order, and not by the order in which the replay came to them. Between cores no order is
// known: a read that was fed by an earlier, ordered write wanted that one, and otherwise waits for this one.
bool in_order(const Side& a, const Side& b, bool fed, bool initialised) {
    if (unit_of_lane(a.lane) == unit_of_lane(b.lane)) return a.index < b.index;
    if (a.write && b.write) return a.lane < b.lane;
    const Side& reader = a.write ? b : a;
    const Side& writer = a.write ? a : b;
    bool read_first = fed || (initialised && reader.index < writer.index);
    return read_first == (&reader == &a);
}

// What is missing between two accesses of one block.
std::string lack(int from, int to) {
    const char* a = word(pipe_of_lane(from));
    const char* b = word(pipe_of_lane(to));
    int one = unit_of_lane(from), two = unit_of_lane(to);
    if (from == to) return text("%s does not keep them in order", a);
    if (one == two) return text("no edge %s → %s is between them", a, b);
    return text("nothing orders %s %s and %s %s here, so either may come first", unit_word(one), a, unit_word(two), b);
}

std::string memory_word(const Group& group, const Touch& touch) {
    if (touch.tensor >= 0) return "GM (" + group.launch->tensor_name(touch.tensor) + ")";
    return word(local_space(touch.local));
}

bool host_initialised(const Touch& touch) {
    return touch.tensor >= 0 && gm()[touch.tensor].initialised.covers(touch.where.lo - gm()[touch.tensor].base,
                                                                      touch.where.hi - gm()[touch.tensor].base);
}

// The counter of `partner` that a set of `unit` raises, as CrossFlags names it.
CrossName counter_of(const Op& set, int unit, int partner) {
    if (set.mode != 4) return {partner, 0, set.id};
    return {partner, 4, unit == 0 ? set.id % kCrossIds : set.id % kCrossIds + (unit == 2 ? kCrossIds : 0)};
}

// Sets that follow the earlier access and that nobody has waited for: one of them was meant to order the two.
void find_unwaited(const Core& core, const Op& op, const Access& first, bool swapped, Links& links) {
    int other = unit_of_lane(first.lane);
    if (swapped && other == core.unit) {
        for (const Op* o = op.next; o && o->index < first.index; o = o->next) {
            if (o->kind == OpKind::set_flag) links.unwaited.push_back({core.unit, o->pipe, o->other, o->id});
        }
        return;
    }
    auto sets_behind = [&](const Op* o, int unit, int partner) {
        for (; o; o = o->next) {
            if (o->kind == OpKind::cross_set) links.pending.push_back(counter_of(*o, unit, partner));
        }
    };
    if (swapped) return sets_behind(op.next, core.unit, other);
    const Core& setter = core.group->cores[other];
    setter.flags.each([&](Pipe from, int id, const Flag& flag) {
        for (const DoneSet& set : flag.done) {
            if (set.signal.knowledge.clock.at[first.lane] < first.seq) continue;
            FlagName name{setter.unit, from, set.to, id};
            if (links.unwaited.empty() || !(links.unwaited.back() == name)) links.unwaited.push_back(name);
        }
    });
    if (setter.unit == core.unit) return;
    sets_behind(setter.lanes[static_cast<int>(pipe_of_lane(first.lane))].head, other, core.unit);
    for (const Core& waiter : core.group->cores) {
        waiter.cross.each([&](int mode, int id, const CrossCounter& counter) {
            for (const Arrival& set : counter.pending) {
                if (set.signal.knowledge.clock.at[first.lane] < first.seq) continue;
                links.pending.push_back({waiter.unit, mode, id});
                break;
            }
        });
    }
}

}  // namespace

void report_race(Group& group, const Core& core, const Op& op, const Access& first, const Touch& second, bool fed) {
    Side a{first.lane, first.write, first.index, {first.name, word(pipe_of_lane(first.lane)), first.site}};
    Side b{core.lane_id(op.pipe), second.write, op.index, {op.name, word(op.pipe), op.site}};
    bool swapped = !in_order(a, b, fed, host_initialised(second));
    if (swapped) std::swap(a, b);
    Kind kind = kind_of(a.write, b.write);
    bool two_cores = unit_of_lane(a.lane) != unit_of_lane(b.lane);
    bool twice = two_cores && second.tensor >= 0 && a.write && b.write;
    const char* code = twice ? "output-written-twice" : kind.code;
    std::string edge = edge_word(a.lane, b.lane);
    if (group.findings.known(code, edge, a.place.site, b.place.site)) return;
    // The other way round it is the same missing order.
    if (two_cores &&
        group.findings.known(kind_of(b.write, a.write).code, edge_word(b.lane, a.lane), b.place.site, a.place.site)) {
        return;
    }
    Finding f;
    f.code = code;
    f.edge = edge;
    uint64_t base = second.tensor >= 0 ? gm()[second.tensor].base : 0;
    f.lo = std::max(first.where.lo, second.where.lo) - base;
    f.hi = std::min(first.where.hi, second.where.hi) - base;
    f.space = second.tensor >= 0 ? "GM" : word(local_space(second.local));
    std::string verb = text(kind.verb, (a.place.op + " (" + a.place.pipe + ")").c_str());
    f.message = text("%s on %s, %s: %s (%s) %s; %s", kind.name, memory_word(group, second).c_str(),
                     bytes_word(f.lo, f.hi).c_str(), b.place.op.c_str(), b.place.pipe.c_str(), verb.c_str(),
                     lack(a.lane, b.lane).c_str());
    f.remedy = twice ? own_bytes(a.lane, b.lane) : order_lanes(a.lane, b.lane);
    if (a.write && b.write && second.tensor >= 0) {
        f.links.tensor = second.tensor;
        if (a.place.site == b.place.site) f.remedy = step_over(first.where, second.where, std::move(f.remedy));
    }
    f.core = group.where(core);
    f.links.from = a.lane;
    f.links.to = b.lane;
    // What else the pipe was issued since is mostly of the same load: the event goes behind all of it.
    const Lane& before = core.lanes[static_cast<int>(pipe_of_lane(a.lane))];
    if (!two_cores && !swapped && a.lane != b.lane && before.last < op.index && before.last_site != a.place.site) {
        f.behind = {before.last_name, a.place.pipe, before.last_site};
    }
    find_unwaited(core, op, first, swapped, f.links);
    f.first = std::move(a.place);
    f.second = std::move(b.place);
    group.findings.add(std::move(f));
}

void report_set_twice(Group& group, const Core& core, const Op& op, const OpenSet& first) {
    std::string edge = edge_word(core.lane_id(op.pipe), core.lane_id(op.other));
    if (group.findings.known("flag-set-twice", edge, first.site, op.site)) return;
    Finding f;
    f.code = "flag-set-twice";
    f.edge = edge;
    f.message = text("the flag %s→%s, id %d is set again and nothing has waited for it since: a flag holds one event",
                     word(op.pipe), word(op.other), op.id);
    f.links.flag = {core.unit, op.pipe, op.other, op.id};
    f.remedy = wait_once_more(f.links.flag, true);
    f.core = group.where(core);
    f.first = {"SetFlag", word(op.pipe), first.site};
    f.second = {"SetFlag", word(op.pipe), op.site};
    group.findings.add(std::move(f));
}

void report_shared_id(Group& group, const Core& core, const OpenSet& first, const OpenSet& second,
                      const FlagName& other) {
    bool strict = profile().flag_identity == FlagIdentity::strict;
    std::string edge = edge_word(core.lane_id(other.from), core.lane_id(second.to));
    if (group.findings.known("flag-set-twice", edge, first.site, second.site)) return;
    Finding f;
    f.code = "flag-set-twice";
    f.note = !strict;
    f.edge = edge;
    std::string both = text("%s sets id %d for %s while it is set for %s", word(other.from), other.id, word(second.to),
                            word(other.to));
    f.message = strict ? both + ", and a flag of one pipe and id holds one event"
                       : both + ": two events as documented, but one where the chip tells flags of a pipe by id alone";
    f.remedy = other_id({core.unit, other.from, second.to, other.id}, kFlagIds);
    f.links.flag = {core.unit, other.from, second.to, other.id};
    if (strict) f.links.shared_with = static_cast<int>(other.to);
    f.core = group.where(core);
    f.first = {"SetFlag", word(other.from), first.site};
    f.second = {"SetFlag", word(other.from), second.site};
    group.findings.add(std::move(f));
}

void report_cross_overflow(Group& group, const Core& target, int mode, int id, const Arrival& arrival, uint64_t room) {
    const char* who = unit_word(target.unit);
    Finding f;
    f.code = "cross-flag-overflow";
    f.edge = edge_word(arrival.from_lane, lane_of(target.unit, Pipe::s));
    f.message = text("cross-core flag %d (mode %d) of %s may be set %" PRIu64
                     " times before a wait takes one, and it holds "
                     "%" PRIu64,
                     id, mode, who, room + 1, room);
    f.remedy = answer_cross(arrival.from_lane, target.unit, mode);
    f.core = core_word(target.unit, group.block);
    f.first = {"CrossCoreSetFlag", word(pipe_of_lane(arrival.from_lane)), arrival.site};
    f.links.cross = {target.unit, mode, id};
    f.links.from = arrival.from_lane;
    group.findings.add(std::move(f));
}

}  // namespace aicore::engine
