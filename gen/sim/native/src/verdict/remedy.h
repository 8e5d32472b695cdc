// What would mend a mistake: in neutral words, and in fields, from which the words of a tree are made.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "hazard/strided.h"
#include "record/op.h"

namespace aicore::engine {

struct Fix {
    std::string kind;  // empty: nothing that fields could say
    std::vector<std::pair<const char*, std::string>> words;
    std::vector<std::pair<const char*, int64_t>> numbers;

    Fix() = default;
    explicit Fix(const char* what) : kind(what) {}
    Fix& with(const char* key, std::string value) {
        words.emplace_back(key, std::move(value));
        return *this;
    }
    Fix& with(const char* key, int64_t value) {
        numbers.emplace_back(key, value);
        return *this;
    }
};

struct Remedy {
    std::string text;
    Fix fix;
};

// An event flag of one core.
struct FlagName {
    int unit = 0;
    Pipe from = Pipe::s, to = Pipe::s;
    int id = 0;
    bool operator==(const FlagName&) const = default;
};

// Puts the two accesses of a block in order: a barrier, an event flag, or a flag between cores.
Remedy order_lanes(int from_lane, int to_lane);
// Of two writes to the same bytes by different cores.
Remedy own_bytes(int from_lane, int to_lane);
Remedy sync_blocks(bool only_aiv, bool both_write);
// Of two writes that overlap in part: where the stores of one statement begin too close to each other, the distance is
// the mistake, and otherwise what `remedy` says.
Remedy step_over(const Strided& first, const Strided& second, Remedy remedy);
Remedy wait_once_more(const FlagName& flag, bool set_again);
Remedy set_once_more(const FlagName& flag);
Remedy prime(const FlagName& flag);
Remedy other_id(const FlagName& flag, int ids);
Remedy set_cross_once_more(int unit, int partner, int mode, int id);
Remedy wait_cross_once_more(int unit, int mode, int id);
// Sets run ahead of the waits of `unit`: it has to tell the setting core when it is ready.
Remedy answer_cross(int from_lane, int unit, int mode);
Remedy unlock_mutex_first(Pipe pipe, int id);
Remedy lock_mutex_first(Pipe pipe, int id);

}  // namespace aicore::engine
