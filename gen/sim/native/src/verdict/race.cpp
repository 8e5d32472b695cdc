#include "verdict/race.h"

#include <cinttypes>

#include "launch/launch.h"
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

// What is missing between two accesses of one block.
std::string lack(int from, int to) {
    const char* a = word(pipe_of_lane(from));
    const char* b = word(pipe_of_lane(to));
    if (from == to) return text("%s does not keep them in order", a);
    if (unit_of_lane(from) == unit_of_lane(to)) return text("no edge %s → %s is between them", a, b);
    return text("no edge %s %s → %s %s is between them", unit_word(unit_of_lane(from)), a, unit_word(unit_of_lane(to)),
                b);
}

std::string memory_word(const Group& group, const Touch& touch) {
    if (touch.tensor >= 0) return "GM (" + group.launch->tensor_name(touch.tensor) + ")";
    return word(local_space(touch.local));
}

}  // namespace

void report_race(Group& group, const Core& core, const Op& op, const Access& first, const Touch& second) {
    int here = core.lane_id(op.pipe);
    // By program order, and not by the order in which the replay came to them.
    bool swapped = unit_of_lane(first.lane) == core.unit && first.index > op.index;
    int from = swapped ? here : first.lane, to = swapped ? first.lane : here;
    bool from_writes = swapped ? second.write : first.write, to_writes = swapped ? first.write : second.write;
    Place a{first.name, word(pipe_of_lane(first.lane)), first.site}, b{op.name, word(op.pipe), op.site};
    if (swapped) std::swap(a, b);
    Kind kind = kind_of(from_writes, to_writes);
    bool two_cores = unit_of_lane(from) != unit_of_lane(to) && second.tensor >= 0 && from_writes && to_writes;
    const char* code = two_cores ? "output-written-twice" : kind.code;
    std::string edge = edge_word(from, to);
    if (group.findings.known(code, edge, a.site, b.site)) return;
    Finding f;
    f.code = code;
    f.edge = edge;
    uint64_t base = second.tensor >= 0 ? gm()[second.tensor].base : 0;
    f.lo = std::max(first.where.lo, second.where.lo) - base;
    f.hi = std::min(first.where.hi, second.where.hi) - base;
    f.space = second.tensor >= 0 ? "GM" : word(local_space(second.local));
    std::string verb = text(kind.verb, (a.op + " (" + a.pipe + ")").c_str());
    f.message =
        text("%s on %s, %s: %s (%s) %s; %s", kind.name, memory_word(group, second).c_str(),
             bytes_word(f.lo, f.hi).c_str(), b.op.c_str(), b.pipe.c_str(), verb.c_str(), lack(from, to).c_str());
    f.remedy = two_cores ? own_bytes(from, to) : order_lanes(from, to);
    f.core = group.where(core);
    f.first = std::move(a);
    f.second = std::move(b);
    group.findings.add(std::move(f));
}

void report_set_twice(Group& group, const Core& core, const Op& op, uint32_t first_site) {
    std::string edge = edge_word(core.lane_id(op.pipe), core.lane_id(op.other));
    if (group.findings.known("flag-set-twice", edge, first_site, op.site)) return;
    const char* a = word(op.pipe);
    const char* b = word(op.other);
    Finding f;
    f.code = "flag-set-twice";
    f.edge = edge;
    f.message = text("the flag %s→%s, id %d is set again and nothing has waited for it since: a flag holds one event",
                     a, b, op.id);
    f.remedy = wait_once_more({core.unit, op.pipe, op.other, op.id}, true);
    f.core = group.where(core);
    f.first = {"SetFlag", a, first_site};
    f.second = {"SetFlag", a, op.site};
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
    group.findings.add(std::move(f));
}

}  // namespace aicore::engine
