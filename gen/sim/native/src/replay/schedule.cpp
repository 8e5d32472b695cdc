#include "replay/schedule.h"

#include <cctype>
#include <string>

#include "verdict/words.h"

namespace aicore::engine {

namespace {

bool same_word(std::string_view lower, const char* word) {
    std::string_view other(word);
    if (lower.size() != other.size()) return false;
    for (size_t i = 0; i < lower.size(); ++i) {
        if (lower[i] != std::tolower(static_cast<unsigned char>(other[i]))) return false;
    }
    return true;
}

// The lanes of a pipe, a core, or a pipe of a core; 0 where the word names none.
uint32_t lanes_of(std::string_view name) {
    size_t dot = name.find('.');
    std::string_view core = dot == std::string_view::npos ? name : name.substr(0, dot);
    std::string_view pipe = dot == std::string_view::npos ? name : name.substr(dot + 1);
    uint32_t found = 0;
    for (int unit = 0; unit < kUnits; ++unit) {
        for (int p = 0; p < kPipes; ++p) {
            bool of_core = same_word(core, unit_word(unit)), of_pipe = same_word(pipe, word(static_cast<Pipe>(p)));
            bool wanted = dot == std::string_view::npos ? of_core || of_pipe : of_core && of_pipe;
            if (wanted) found |= 1u << lane_of(unit, static_cast<Pipe>(p));
        }
    }
    return found;
}

}  // namespace

bool parse_schedule(std::string_view word, Schedule& out) {
    out = {};
    if (word == "program") return true;
    if (word == "blocks-reversed") return out.blocks_reversed = true;
    if (word == "threads-reversed") return out.threads_reversed = true;
    if (word == "reorder") {
        out.kind = Schedule::Kind::reorder;
        return true;
    }
    bool early = word.starts_with("early-");
    if (!early && !word.starts_with("late-")) return false;
    out.kind = early ? Schedule::Kind::early : Schedule::Kind::late;
    out.lanes = lanes_of(word.substr(early ? 6 : 5));
    return out.lanes != 0;
}

}  // namespace aicore::engine
