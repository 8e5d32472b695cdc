#include "verdict/fold.h"

#include <algorithm>
#include <cctype>
#include <optional>

#include "launch/profile.h"
#include "replay/clock.h"

namespace aicore::engine {

namespace {

bool is(const Finding& f, const char* code) { return f.code == code; }
bool is_race(const Finding& f) { return f.links.from >= 0 && f.links.to >= 0; }
bool is_outside(const Finding& f) { return is(f, "out-of-bounds"); }
bool writes_twice(const Finding& f) { return is(f, "output-written-twice") || is(f, "race-waw"); }
bool is_deadlock(const Finding& f) { return is(f, "wait-without-set") || is(f, "circular-wait"); }
bool is_flag(const Finding& f) { return is(f, "flag-set-twice") || is(f, "flag-left-set"); }
bool has_flag(const Finding& f) { return f.links.flag.unit >= 0; }

// The AIVs of a block run one program.
int kind_of(int unit) { return unit == 0 ? 0 : 1; }
bool same_kind(const FlagName& a, const FlagName& b) { return kind_of(a.unit) == kind_of(b.unit); }
bool same_flag(const FlagName& a, const FlagName& b) {
    return same_kind(a, b) && a.from == b.from && a.to == b.to && a.id == b.id;
}
bool same_pair(const FlagName& a, const FlagName& b) { return same_kind(a, b) && a.from == b.from && a.to == b.to; }
// One may be the other, misspelt in its id or in one of its pipes.
bool alike(const FlagName& a, const FlagName& b) {
    return same_kind(a, b) && (a.from == b.from) + (a.to == b.to) + (a.id == b.id) >= 2;
}

bool crosses(const FlagName& flag, const Finding& race) {
    return kind_of(flag.unit) == kind_of(unit_of_lane(race.links.from)) &&
           unit_of_lane(race.links.from) == unit_of_lane(race.links.to) && flag.from == pipe_of_lane(race.links.from) &&
           flag.to == pipe_of_lane(race.links.to);
}

bool stands_between(const FlagName& flag, const Finding& race) {
    return std::any_of(race.links.unwaited.begin(), race.links.unwaited.end(),
                       [&](const FlagName& f) { return same_flag(f, flag); });
}

std::string without_numbers(std::string edge) {
    for (size_t at = 0; (at = edge.find("AIV", at)) != std::string::npos; at += 3) {
        if (at + 3 < edge.size() && std::isdigit(static_cast<unsigned char>(edge[at + 3]))) edge.erase(at + 3, 1);
    }
    return edge;
}

// The same statements on AIV0 and AIV1.
bool mirrored(const Finding& a, const Finding& b) {
    return a.code == b.code && a.note == b.note && a.first.site == b.first.site && a.second.site == b.second.site &&
           without_numbers(a.edge) == without_numbers(b.edge);
}

// Does `b` follow from `a`?
bool same_flag_twice(const Finding& a, const Finding& b) {
    return is_flag(a) && is_flag(b) && a.note == b.note && has_flag(a) && has_flag(b) &&
           same_flag(a.links.flag, b.links.flag);
}

bool misspelt(const Finding& a, const Finding& b) {
    if (!is(a, "flag-id") || !has_flag(a)) return false;
    if (is_race(b)) return crosses(a.links.flag, b);
    if (!has_flag(b) || b.note) return false;
    if (is(b, "flag-id")) return same_flag(a.links.flag, b.links.flag);
    return (is_flag(b) || is_deadlock(b)) && same_pair(a.links.flag, b.links.flag);
}

// Two flags that the chip takes for one, seen from both ends of a loop; what waited for one of them took the other.
bool one_of_two(const Finding& a, const Finding& b) {
    if (a.links.shared_with < 0) return false;
    FlagName one = a.links.flag, other = one;
    other.to = static_cast<Pipe>(a.links.shared_with);
    if (is_race(b)) return crosses(one, b) || crosses(other, b);
    return b.links.shared_with >= 0 && (same_flag(b.links.flag, one) || same_flag(b.links.flag, other));
}

// The part of a buffer or of a tensor at which an access out of bounds begins, and at which it ends.
std::pair<double, double> part(const Finding& f) {
    auto share = [&](uint64_t offset) {
        return static_cast<double>(static_cast<int64_t>(offset - f.links.holder_lo)) /
               static_cast<double>(f.links.holder_hi - f.links.holder_lo);
    };
    return {share(f.lo), share(f.hi)};
}

// One wrong extent, or one wrong index, shows at every access that it goes into: in the same instruction, and beyond
// the same end of other buffers, by as much.
bool same_extent(const Finding& a, const Finding& b) {
    if (!is_outside(a) || !is_outside(b)) return false;
    if (kind_of(unit_of_lane(a.links.from)) != kind_of(unit_of_lane(b.links.from))) return false;
    if (a.first.site == b.first.site) return true;
    bool known = a.links.holder_lo < a.links.holder_hi && b.links.holder_lo < b.links.holder_hi;
    return known && part(a) == part(b);
}

// What an access out of bounds does to the memory behind its end.
bool reaches_over(const Finding& a, const Finding& b) {
    if (!is_outside(a) || !is_race(b) || a.space != b.space) return false;
    if (b.lo >= a.links.holder_lo && b.hi <= a.links.holder_hi) return false;
    auto reaches = [&](uint32_t site) { return site == b.first.site || site == b.second.site; };
    return reaches(a.first.site) || std::any_of(a.also.begin(), a.also.end(), [&](const Consequence& c) {
               return c.code == a.code && reaches(c.first.site);
           });
}

// A slot that does not exist has a flag that nobody sets.
bool no_such_slot(const Finding& a, const Finding& b) {
    return is_outside(a) && is_deadlock(b) && b.links.behind_outside;
}

// A buffer that a queue gave to somebody else, while its tensor was still in use.
bool freed_early(const Finding& a, const Finding& b) {
    return is(a, "queue-free") && is_race(b) && a.space == b.space && a.lo < b.hi && b.lo < a.hi;
}

// Stores of one statement that begin too close to each other: they overlap, and leave the end of the output out.
bool same_stores(const Finding& a, const Finding& b) {
    if (!writes_twice(a) || b.note || a.links.tensor < 0 || a.links.tensor != b.links.tensor) return false;
    if (a.first.site != a.second.site || b.first.site != a.first.site) return false;
    return is(b, "output-not-written") || (writes_twice(b) && b.second.site == a.second.site);
}

bool never_set(const Finding& a, const Finding& b) {
    if (!is_deadlock(a) || !has_flag(a)) return false;
    if (is_flag(b) && has_flag(b)) return alike(a.links.flag, b.links.flag);
    return is_race(b) && std::any_of(b.links.unwaited.begin(), b.links.unwaited.end(),
                                     [&](const FlagName& f) { return alike(a.links.flag, f); });
}

bool never_waited(const Finding& a, const Finding& b) {
    if (!is_race(a) || !is_flag(b) || b.note || !has_flag(b)) return false;
    return stands_between(b.links.flag, a) || crosses(b.links.flag, a);
}

bool counter_of(const Finding& a, const Finding& b) {
    if (!is_race(a) || b.links.cross.unit < 0) return false;
    if (is(b, "cross-flag-left")) {
        return std::any_of(a.links.pending.begin(), a.links.pending.end(), [&](const CrossName& c) {
            return kind_of(c.unit) == kind_of(b.links.cross.unit) && c.mode == b.links.cross.mode &&
                   c.id == b.links.cross.id;
        });
    }
    // Who runs ahead of the waits also overwrites what was not yet read.
    return is(b, "cross-flag-overflow") && profile().cross_flag == CrossFlag::counter &&
           kind_of(unit_of_lane(a.links.from)) == kind_of(b.links.cross.unit) &&
           kind_of(unit_of_lane(a.links.to)) == kind_of(unit_of_lane(b.links.from));
}

bool same_mutex(const Finding& a, const Finding& b) {
    return a.links.mutex >= 0 && a.links.mutex == b.links.mutex &&
           kind_of(unit_of_lane(a.links.mutex_lane)) == kind_of(unit_of_lane(b.links.mutex_lane));
}

bool never_locked(const Finding& a, const Finding& b) {
    return is_race(a) && b.links.mutex >= 0 && (a.links.from == b.links.mutex_lane || a.links.to == b.links.mutex_lane);
}

bool other_blocks(const Finding& a, const Finding& b) {
    return is_deadlock(a) && !a.links.others && is_deadlock(b) && b.links.others;
}

using Rule = bool (*)(const Finding&, const Finding&);
// In this order: what is closer to the mistake takes the rest with it.
constexpr Rule kRules[] = {other_blocks, same_extent, reaches_over,    no_such_slot, one_of_two,
                           misspelt,     never_set,   same_flag_twice, mirrored,     same_mutex,
                           freed_early,  same_stores, never_waited,    counter_of,   never_locked};

void give(Finding& root, Finding&& other) {
    if (mirrored(root, other)) {
        if (other.edge < root.edge) std::swap(root, other);  // AIV0 speaks for both
        root.count += other.count;
        return;
    }
    root.also.push_back({other.code, other.edge, other.count, other.first, other.second});
    std::move(other.also.begin(), other.also.end(), std::back_inserter(root.also));
}

void apply(Rule follows, std::vector<Finding>& all) {
    for (size_t i = 0; i < all.size(); ++i) {
        for (size_t k = 0; k < all.size();) {
            if (k == i || !follows(all[i], all[k])) {
                ++k;
                continue;
            }
            give(all[i], std::move(all[k]));
            all.erase(all.begin() + static_cast<std::ptrdiff_t>(k));
            if (k < i) --i;
        }
    }
}

// Several accesses that one flag would have ordered, had it been waited for.
void join_races(std::vector<Finding>& all) {
    std::vector<FlagName> unwaited;
    for (const Finding& f : all) {
        if (is_flag(f) && !f.note && has_flag(f)) unwaited.push_back(f.links.flag);
    }
    for (const FlagName& flag : unwaited) {
        std::optional<size_t> root;
        for (size_t i = 0; i < all.size();) {
            if (!is_race(all[i]) || !stands_between(flag, all[i])) {
                ++i;
            } else if (!root) {
                root = i++;
            } else {
                give(all[*root], std::move(all[i]));
                all.erase(all.begin() + static_cast<std::ptrdiff_t>(i));
            }
        }
    }
}

}  // namespace

Findings fold(Findings findings) {
    std::vector<Finding> all = findings.take();
    for (Rule rule : kRules) {
        if (rule == never_waited) join_races(all);
        apply(rule, all);
    }
    Findings out;
    for (Finding& f : all) out.add(std::move(f));
    return out;
}

}  // namespace aicore::engine
