#include "vector/thread_races.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "memory/gm.h"
#include "record/site.h"
#include "verdict/words.h"

namespace aicore::engine {

namespace {

using Race = ThreadOrder::Race;

bool raw(const Race& r) { return r.first_writes && !r.second_writes; }
bool war(const Race& r) { return !r.first_writes; }
bool same_bytes(const Race& a, const Race& b) { return a.lo < b.hi && b.lo < a.hi; }
bool crossed(const Race& a, const Race& b) { return a.first_pc == b.second_pc && a.second_pc == b.first_pc; }

// Threads have no order: the code tells which access was meant to come first.
Race by_code(Race r) {
    if (r.first_pc <= r.second_pc) return r;
    std::swap(r.first_writes, r.second_writes);
    std::swap(r.first, r.second);
    std::swap(r.first_pc, r.second_pc);
    return r;
}

const char* code_of(const Race& r) { return raw(r) ? "race-raw" : war(r) ? "race-war" : "race-waw"; }

// Races that one barrier would end: on the same bytes, or between the same two places.
std::vector<std::vector<Race>> groups(const std::vector<Race>& races) {
    std::vector<std::vector<Race>> found;
    for (const Race& r : races) {
        auto same = std::find_if(found.begin(), found.end(), [&](const auto& group) {
            return std::any_of(group.begin(), group.end(),
                               [&](const Race& other) { return same_bytes(other, r) || crossed(other, r); });
        });
        if (same == found.end()) same = found.emplace(found.end());
        same->push_back(r);
    }
    return found;
}

// What goes wrong first. Where one statement reads and writes the bytes (`a[0] = a[0] + b`), that is the read.
Race spokesman(const std::vector<Race>& group) {
    for (const Race& r : group) {
        bool updates = raw(r) && std::any_of(group.begin(), group.end(), [&](const Race& other) {
                           return war(other) && crossed(r, other) && r.at == other.at;
                       });
        if (updates) return r;
    }
    return by_code(group.front());
}

Place place(const Op& op, uintptr_t pc) { return {op.name, "V", site_of(pc)}; }

Finding thread_finding(const Op& op, const std::vector<Race>& group, const Launch& launch) {
    Race r = spokesman(group);
    Finding f;
    f.code = code_of(r);
    f.edge = "V threads";
    f.space = r.global ? "GM" : "UB";
    std::string memory = "UB";
    if (int tensor = r.global ? gm().find(r.lo) : -1; tensor >= 0) {
        memory = launch.tensor_name(tensor);
        r.lo -= gm()[tensor].base, r.hi -= gm()[tensor].base;
    }
    f.lo = r.lo, f.hi = r.hi, f.count = r.count;
    f.message = text("thread %u %s %s of %s, which thread %u %s, and no barrier of all threads is between them",
                     r.second, r.second_writes ? "overwrites" : "reads", bytes_word(r.lo, r.hi).c_str(), memory.c_str(),
                     r.first, r.first_writes ? "writes" : "reads");
    f.remedy.text =
        "put a barrier of all threads between the two (T.sync_threads() in TileLang, asc_syncthreads() in C), or let "
        "every "
        "thread use elements of its own";
    f.first = place(op, r.first_pc), f.second = place(op, r.second_pc);
    for (const Race& other : group) {
        if (by_code(other).first_pc == by_code(r).first_pc && by_code(other).second_pc == by_code(r).second_pc)
            continue;
        f.also.push_back({code_of(other), f.edge, other.count, place(op, other.first_pc), place(op, other.second_pc)});
    }
    return f;
}

}  // namespace

std::vector<Finding> thread_findings(const Op& op, const std::vector<Race>& races, const Launch& launch) {
    std::vector<Finding> found;
    for (const auto& group : groups(races)) found.push_back(thread_finding(op, group, launch));
    return found;
}

}  // namespace aicore::engine
