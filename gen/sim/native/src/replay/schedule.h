// Which of all orders that the chip allows the replay takes. Where nothing races, values are the same under each.
#pragma once

#include <cstdint>
#include <string_view>

#include "replay/clock.h"

namespace aicore::engine {

struct Schedule {
    enum class Kind : uint8_t {
        program,  // the first in program order
        early,    // `lanes` before all others
        late,     // `lanes` only when nothing else can go on
        reorder,  // within each pipe, what the chip does not keep in order runs the other way round, as late as it can
    };
    Kind kind = Kind::program;
    uint32_t lanes = 0;             // bit lane_of(unit, pipe)
    bool blocks_reversed = false;   // the last block of the grid starts first
    bool threads_reversed = false;  // the last thread of a SIMT function starts first

    // Another order than the usual one: cores record as far as they can before anything runs.
    bool adversarial() const { return kind != Kind::program; }
    // Lower goes first.
    int rank(int lane) const {
        bool in = (lanes >> lane) & 1u;
        return kind == Kind::early ? !in : kind == Kind::late ? in : 0;
    }
};

// `program`, `reorder`, `blocks-reversed`, `threads-reversed`, or `early-X` and `late-X`, where X is a pipe (`mte2`), a
// core (`aiv1`) or both (`aiv1.mte2`). False: not understood.
bool parse_schedule(std::string_view word, Schedule& out);

}  // namespace aicore::engine
